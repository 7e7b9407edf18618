import Findings

/// What a shell loads to complete the words of npi-pack. It asks npi-pack itself, which knows the manifest.
enum CompletionScript {
  /// The option that prints it; a shell follows.
  static let option = "--\(name)"
  static let name = "generate-completion-script"

  /// The word that the scripts call npi-pack with; a shell and words of a command line follow.
  static let question = "---complete"

  static func text(for shell: String) throws(Mistakes) -> String {
    switch shell {
    case "bash": bash
    case "zsh": zsh
    case "fish": fish
    default: throw Mistakes("\(option): there is no script for '\(shell)'", hint: "one of: bash, zsh, fish")
    }
  }

  /// Bash 3.2, which macOS has, has neither `mapfile` nor `compopt`.
  private static let bash = """
    # bash completion for npi-pack
    _npi_pack() {
      local line kind='' word="${COMP_WORDS[COMP_CWORD]}"
      COMPREPLY=()
      while IFS= read -r line; do
        if [[ -z $kind ]]; then kind=$line; else COMPREPLY+=("$line"); fi
      done < <("${COMP_WORDS[0]/#\\~/$HOME}" \(question) bash "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      [[ $word == [=:]* ]] && word=''
      if [[ ${#COMPREPLY[@]} -eq 1 && ${COMPREPLY[0]} == *= ]]; then
        compopt -o nospace 2>/dev/null
      fi
      case $kind in files) kind=-f ;; folders) kind=-d ;; *) return ;; esac
      compopt -o filenames 2>/dev/null
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen $kind -- "$word")
    }
    complete -F _npi_pack npi-pack

    """

  private static let zsh = """
    #compdef npi-pack
    local -a lines
    lines=("${(@f)$("${(Q)words[1]}" \(question) zsh "${(@Q)words[2,CURRENT]}" 2>/dev/null)}")
    local kind=$lines[1]
    shift lines
    compadd -- ${lines:#*=}
    compadd -S '' -- ${(M)lines:#*=}
    [[ $kind == words ]] && return
    [[ $PREFIX == --*=* ]] && compset -P '*='
    if [[ $kind == folders ]]; then _files -/; else _files; fi

    """

  private static let fish = """
    # fish completion for npi-pack
    function __npi_pack_complete
        set -l words (commandline -opc)
        set -l program $words[1]
        set -e words[1]
        set -l current (commandline -ct)
        set -l lines ($program \(question) fish $words "$current" 2>/dev/null)
        set -l kind $lines[1]
        set -e lines[1]
        printf '%s\\n' $lines
        set -l head (string match -r '^--[^=]*=' -- "$current")
        set -l path (string replace -r '^--[^=]*=' '' -- "$current")
        set -l items
        test "$kind" = files; and set items (__fish_complete_path "$path")
        test "$kind" = folders; and set items (__fish_complete_directories "$path")
        for item in $items
            printf '%s%s\\n' "$head" "$item"
        end
    end
    complete -c npi-pack -f -a '(__npi_pack_complete)'

    """
}
