/**
 * The scripts that teach a shell to complete commands.
 *
 * They know nothing about verbs: at every request they ask the program. Words from the stores are inserted quoted and
 * never evaluated. Without an answer the shell completes names of files.
 */
const BASH = `# Completion of stele for bash: eval "$(stele completion bash)"
_stele() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    COMPREPLY+=("$(printf '%q' "$word")")
  done < <(stele completion words -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
}
complete -o default -F _stele stele`;

const ZSH = `#compdef stele
# Completion of stele for zsh: eval "$(stele completion zsh)" after compinit, or as a file _stele in a folder of $fpath
_stele() {
  local line
  local -a found shown
  for line in "\${(@f)$(stele completion words -- "\${(Q@)words[2,CURRENT]}" 2>/dev/null)}"; do
    [[ -z $line ]] && continue
    found+=("\${line%%$'\\t'*}")
    shown+=("\${line//$'\\t'/  }")
  done
  if (( $#found )); then compadd -U -l -d shown -a found; else _files; fi
}
if [[ $funcstack[1] == _stele ]]; then _stele "$@"; else compdef _stele stele; fi`;

const FISH = `# Completion of stele for fish: stele completion fish | source
function __stele_words
    set -l found (stele completion words -- (commandline -opc)[2..-1] (commandline -ct) 2>/dev/null)
    if test (count $found) -gt 0
        printf '%s\\n' $found
    else
        __fish_complete_path (commandline -ct)
    end
end
complete -c stele -f -a '(__stele_words)'`;

export const SHELL_SCRIPTS: Readonly<Record<string, string>> = { bash: BASH, zsh: ZSH, fish: FISH };
