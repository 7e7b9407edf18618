#!/bin/sh
# Prints the manual page of the npi-pack that is given: the help of its commands, as that prints it, in the macros of
# man(7). Nothing in the page depends on the day or the machine on which it is made.
set -e
npi=$1
# A line of help is not cut.
export COLUMNS=10000 LC_ALL=C

# The commands below a command, as its help lists them.
commands() { "$npi" help "$@" | awk '/^SUBCOMMANDS:/ { on = 1; next } /^$/ { on = 0 } on && /^  [a-z]/ { print $1 }'; }

# Lines of help as lines of a page. No formatter takes the text for a request, and it is ASCII.
page() {
  awk '
    function safe(s) {
      gsub(/\\/, "\\e", s); gsub(/…/, "...", s); gsub(/-/, "\\-", s); gsub(/`/, "\\(ga", s); gsub(/\^/, "\\(ha", s)
      gsub(/~/, "\\(ti", s); gsub("\047", "\\(aq", s)
      return substr(s, 1, 1) == "." ? "\\\\&" s : s
    }
    function leave() { if (open) print ".fi"; open = 0 }
    /^SUBCOMMANDS:/ { exit }
    /^OVERVIEW: / { print safe(substr($0, 11)); next }
    /^USAGE: / { leave(); print ".PP\n\\fB" safe(substr($0, 8)) "\\fR"; next }
    /^$|^[A-Z]+:$/ { leave(); next }
    # Explanations begin in column 27; that of a long option is a line of its own.
    substr($0, 1, 26) ~ /^ +$/ { print safe(substr($0, 27)); next }
    /^  [-<]/ {
      isShort = length > 26 && substr($0, 26, 1) == " "
      label = isShort ? substr($0, 1, 26) : $0
      gsub(/^ +| +$/, "", label)
      print ".TP\n\\fB" safe(label) "\\fR"
      if (isShort) print safe(substr($0, 27))
      next
    }
    length > 100 { print ".PP\n" safe($0); next }
    { if (!open) print ".PP\n.nf"; open = 1; print safe($0) }'
}

# A command: what it does, examples as they stand, usage and options, and the commands below it.
command() {
  printf '.SS %s\n' "$*" | sed 's/-/\\-/g'
  "$npi" help "$@" | page
  for below in $(commands "$@"); do command "$@" "$below"; done
}

cat <<PAGE
.TH NPI\\-PACK 1 "" "npi\\-pack $("$npi" --version)" "npi\\-pack"
.SH NAME
npi\\-pack \\- $("$npi" --help | sed -n 's/^OVERVIEW: //p' | sed 's/-/\\-/g')
.SH SYNOPSIS
.B npi\\-pack
[\\fIcommand\\fR] [\\fIoptions\\fR] [\\fIwords\\fR...]
.SH DESCRIPTION
npi\\-pack reads a plugin\\(aqs source tree and one small manifest, npi.yml, and makes what leaves the plugin\\(aqs
repository: a zip for iOS, an Android library, one configuration, and what its host asks besides. What is made is clean,
the same on every machine, and checked against the rules of the host. Without a command it builds.
.SH COMMANDS
PAGE
for name in $(commands) help; do command "$name"; done
sed 's/-/\\-/g' <<'PAGE'
.SH "EXIT STATUS"
.TP
.B 0
All is well.
.TP
.B 1
A build failed, findings are at level error, -q found something out of date, strip --dry-run found something.
.TP
.B 2
Wrong usage, a mistake in the manifest, or an input that cannot be read.
.TP
.B 129, 130, 143
Ended by HUP, by Ctrl-C, by TERM.
.SH ENVIRONMENT
.TP
.B SOURCE_DATE_EPOCH
The seconds since 1970 that date every entry of what is packed; build says how.
.TP
.B NPI_PACK_STORE
The folder of the store of what builds have made.
.TP
.B XDG_CACHE_HOME
On other systems than macOS the store is in npi-pack below it, if NPI_PACK_STORE is not set.
.TP
.B XDG_STATE_HOME
On other systems than macOS the key is in npi-pack/key below it.
.TP
.B NO_COLOR
If it is set and not empty, nothing is coloured, unless --color asks for it.
.SH FILES
.TP
.B npi.yml
The manifest; npi-pack schema prints its JSON Schema.
.TP
.B dist/
What was made (--out names another folder).
.TP
.B .npi/
What npi-pack remembers of its builds in this folder.
.TP
.B ~/.cache/npi-pack, on macOS ~/Library/Caches/npi-pack
The store; npi-pack clean --store empties it.
.TP
.B ~/.local/state/npi-pack/key, on macOS in ~/Library/Application Support
The key that seals what is remembered; only its owner can read it.
PAGE
