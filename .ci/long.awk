# Functions of more than 60 lines, from sources that the formatter has laid out: a function ends at the brace that stands
# as far to the right as its beginning.
FNR == 1 { depth = 0 }
/^ *(@[^ ]+ |[a-z]+(\([a-z]+\))? )*(func [^ ]|init[?(<]|subscript[(<]|var [^=]*\{$)/ && !/\}$/ {
  match($0, /^ */)
  depth++
  indent[depth] = RLENGTH
  start[depth] = FNR
  name[depth] = substr($0, RLENGTH + 1)
}
depth && /^ *\}/ {
  match($0, /^ */)
  while (depth && indent[depth] > RLENGTH) depth--
  if (depth && indent[depth] == RLENGTH && $0 !~ /\{$/) {
    if (FNR - start[depth] + 1 > 60) print FILENAME ":" start[depth] ": " FNR - start[depth] + 1 " lines: " name[depth]
    depth--
  }
}
