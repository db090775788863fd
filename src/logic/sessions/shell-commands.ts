/** The commands of a shell's line, as far as they can be told without running it. Never throws; reads the text once. */
export interface ShellCommand {
  words: string[];
  /** What follows it: "&&", "||", ";", "|", or "" at the end. */
  then: string;
}

/** Redirections and what a here-document contains are left out. */
export function shellCommands(text: string): ShellCommand[] {
  const commands: ShellCommand[] = [];
  let words: string[] = [];
  let word: string | null = null;
  const documents: string[] = [];
  const endWord = () => {
    if (word !== null) words.push(word);
    word = null;
  };
  const endCommand = (then: string) => {
    endWord();
    const kept = withoutRedirections(words, documents);
    if (kept.length > 0) commands.push({ words: kept, then });
    words = [];
  };
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index]!;
    if (character === "'" || character === '"') {
      const end = endOfQuote(text, index);
      word = (word ?? "") + text.slice(index + 1, end);
      index = end;
    } else if (character === "\\") {
      index += 1;
      if (text[index] !== "\n") word = (word ?? "") + (text[index] ?? "");
    } else if (character === "\n") {
      endCommand(";");
      const delimiter = documents.shift();
      if (delimiter !== undefined) index = endOfDocument(text, index, delimiter);
    } else if (character === ";" || character === "(" || character === ")") endCommand(";");
    else if (character === "|" || (character === "&" && !isRedirection(text, index))) {
      const isDouble = text[index + 1] === character;
      endCommand(isDouble ? character.repeat(2) : character === "|" ? "|" : ";");
      if (isDouble) index += 1;
    } else if (character === " " || character === "\t") endWord();
    else word = (word ?? "") + character;
  }
  endCommand("");
  return commands;
}

/** `2>&1`, `&>file`. */
const isRedirection = (text: string, index: number): boolean => text[index - 1] === ">" || text[index + 1] === ">";

function endOfQuote(text: string, start: number): number {
  const quote = text[start]!;
  for (let index = start + 1; index < text.length; index += 1) {
    if (text[index] === "\\" && quote === '"') index += 1;
    else if (text[index] === quote) return index;
  }
  return text.length;
}

/** The index of the newline that ends it. */
function endOfDocument(text: string, start: number, delimiter: string): number {
  for (let from = start + 1; from < text.length; ) {
    const newline = text.indexOf("\n", from);
    const end = newline < 0 ? text.length : newline;
    if (text.slice(from, end).trim() === delimiter) return end;
    from = end + 1;
  }
  return text.length;
}

const REDIRECTION = /^(?:\d?|&)(?:>>?|<)(?:&\d)?/;

function withoutRedirections(words: readonly string[], documents: string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < words.length; index += 1) {
    const word = words[index]!;
    const opened = /^<<-?(.*)$/.exec(word)?.[1];
    if (opened !== undefined) documents.push(opened === "" ? (words[(index += 1)] ?? "") : opened);
    else if (!REDIRECTION.test(word)) kept.push(word);
    else if (/[<>]$/.test(word)) index += 1;
  }
  return kept;
}

/** They run the command that follows them. */
const RUNNERS: ReadonlySet<string> = new Set(
  "sudo time nice env command exec xvfb-run npx bunx pnpx dotenv corepack uv poetry pipenv hatch bundle rbenv direnv".split(
    " ",
  ),
);
const RUNNING_WORDS: ReadonlySet<string> = new Set(["run", "exec", "dlx", "x"]);

/** From the program on, which is without its folder: no settings, runners or options before it. */
export function programWords({ words }: ShellCommand): string[] {
  let at = 0;
  while (at < words.length) {
    const word = words[at]!;
    if (/^\w+=/.test(word) || (at > 0 && word.startsWith("-"))) at += 1;
    else if (word === "timeout" || word === "gtimeout") at += 2;
    else if (RUNNERS.has(word)) at += RUNNING_WORDS.has(words[at + 1] ?? "") ? 2 : 1;
    else break;
  }
  const [program = "", ...rest] = words.slice(at);
  return program === "" ? [] : [program.slice(program.lastIndexOf("/") + 1), ...rest];
}

/** Names what is run, to compare runs: the program and its first word that is no option. */
export function whatRuns(text: string): string | null {
  const command = shellCommands(text).findLast(
    (one) => !PREPARING.has(programWords(one)[0] ?? "") && !isFiltering(one),
  );
  const [program, ...rest] = command === undefined ? [] : programWords(command);
  if (program === undefined) return null;
  const first = rest.find((word) => !word.startsWith("-"));
  return first === undefined ? program : `${program} ${RUNNING_WORDS.has(first) ? rest.slice(0, 2).join(" ") : first}`;
}

const PREPARING: ReadonlySet<string> = new Set("cd pushd popd export source . set echo printf true sleep".split(" "));
const FILTERS: ReadonlySet<string> = new Set(
  "head tail grep egrep rg sed awk cut sort uniq wc tee cat jq less tr".split(" "),
);
const isFiltering = (command: ShellCommand): boolean => FILTERS.has(programWords(command)[0] ?? "");
