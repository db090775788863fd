/**
 * Languages: which one a file is written in, by its name or first line, and which shelf it belongs on.
 *
 * An unknown name is no obstacle: such a file is code without a language, found by its words.
 */
import type { FileShelf } from "./corpus.ts";

/** Languages whose symbols are parsed; all others are plain text. */
const PARSED_LANGUAGES = [
  "bash",
  "c",
  "cpp",
  "csharp",
  "css",
  "go",
  "ini",
  "java",
  "javascript",
  "php",
  "powershell",
  "python",
  "ruby",
  "rust",
  "tsx",
  "typescript",
] as const;
export type ParsedLanguage = (typeof PARSED_LANGUAGES)[number];

const EXTENSIONS: Record<string, string> = {
  asciidoc: "adoc asciidoc",
  bash: "sh bash zsh ksh bats",
  c: "c h",
  clojure: "clj cljs cljc edn",
  cmake: "cmake",
  cpp: "cc cpp cxx c++ hh hpp hxx h++ ino ipp tpp inl cu cuh",
  csharp: "cs csx",
  css: "css",
  dart: "dart",
  elixir: "ex exs",
  elm: "elm",
  erlang: "erl hrl",
  fortran: "f f90 f95 f03",
  fsharp: "fs fsi fsx",
  go: "go",
  graphql: "graphql gql",
  groovy: "groovy gradle",
  haskell: "hs lhs",
  html: "html htm xhtml",
  ini: "ini cfg conf properties editorconfig desktop",
  java: "java",
  javascript: "js mjs cjs jsx",
  json: "json jsonc json5 webmanifest geojson",
  julia: "jl",
  kotlin: "kt kts",
  less: "less",
  lisp: "lisp el scm rkt",
  lua: "lua",
  markdown: "md mdx markdown",
  nix: "nix",
  objectivec: "m mm",
  ocaml: "ml mli",
  perl: "pl pm t",
  php: "php phtml",
  powershell: "ps1 psm1 psd1",
  protobuf: "proto",
  python: "py pyi pyw",
  r: "r",
  restructuredtext: "rst",
  ruby: "rb rake gemspec ru",
  rust: "rs",
  scala: "scala sc sbt",
  scss: "scss sass",
  sql: "sql",
  svelte: "svelte",
  swift: "swift",
  tcl: "tcl",
  terraform: "tf tfvars hcl",
  text: "txt text",
  toml: "toml",
  tsx: "tsx",
  typescript: "ts mts cts",
  vim: "vim",
  vue: "vue",
  xml: "xml xsd xsl svg plist csproj",
  yaml: "yaml yml",
  zig: "zig",
};

const NAMES: Record<string, string> = {
  bash: ".bashrc .bash_profile .profile .zshrc pkgbuild",
  cmake: "cmakelists.txt",
  dockerfile: "dockerfile containerfile",
  ini: ".gitconfig .npmrc .editorconfig",
  make: "makefile gnumakefile",
  ruby: "rakefile gemfile vagrantfile podfile",
  python: "sconstruct sconscript wscript",
  groovy: "jenkinsfile",
  text: "readme license licence notice authors changelog changes copying contributing install news thanks",
};

const INTERPRETERS: [RegExp, string][] = [
  [/^(ba|z|k|da)?sh$/, "bash"],
  [/^python[\d.]*$/, "python"],
  [/^(node|nodejs|bun)$/, "javascript"],
  [/^(deno|ts-node|tsx)$/, "typescript"],
  [/^ruby[\d.]*$/, "ruby"],
  [/^php[\d.]*$/, "php"],
  [/^perl[\d.]*$/, "perl"],
  [/^pwsh$/, "powershell"],
];
const SHEBANG = /^#!\s*(?:\S*\/)?env\s+(?:-\S+\s+)*(?:\S+=\S*\s+)*(\S+)|^#!\s*(\S+)/;
const LONGEST_FIRST_LINE = 200;

const DOCUMENT_LANGUAGES: ReadonlySet<string> = new Set(["markdown", "restructuredtext", "asciidoc", "text"]);
const BY_EXTENSION = invert(EXTENSIONS);
const BY_NAME = invert(NAMES);
const PARSED: ReadonlySet<string> = new Set(PARSED_LANGUAGES);

/** Null if unknown. The text is used last: only its first line, and only if the name is not enough. */
export function languageOf(path: string, text = ""): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const dot = name.lastIndexOf(".");
  const byExtension = dot < 0 ? undefined : BY_EXTENSION.get(name.slice(dot + 1));
  return BY_NAME.get(name) ?? byExtension ?? dockerfileOf(name) ?? (dot <= 0 ? languageOfShebang(text) : null);
}

/** The language of most of these files, the first one on a tie; null if no name tells. */
export function mainLanguage(paths: readonly string[]): string | null {
  const counts = new Map<string, number>();
  for (const path of paths) {
    const language = languageOf(path);
    if (language !== null) counts.set(language, (counts.get(language) ?? 0) + 1);
  }
  const most = Math.max(...counts.values());
  return [...counts].find(([, count]) => count === most)?.[0] ?? null;
}

/** Only notes have absolute paths. */
export const isNote = (path: string): boolean => path.startsWith("/") || /^[a-z]:\//i.test(path);

/** Prose is a document; everything else is code. */
export function shelfOf(path: string): FileShelf {
  if (isNote(path)) return "memory";
  return DOCUMENT_LANGUAGES.has(languageOf(path) ?? "") ? "document" : "code";
}

export function isParsed(language: string | null): language is ParsedLanguage {
  return language !== null && PARSED.has(language);
}

function dockerfileOf(name: string): string | null {
  return name.startsWith("dockerfile.") ? "dockerfile" : null;
}

function languageOfShebang(text: string): string | null {
  if (!text.startsWith("#!")) return null;
  const [line = ""] = text.slice(0, LONGEST_FIRST_LINE).split("\n", 1);
  const match = SHEBANG.exec(line);
  const program = (match?.[1] ?? match?.[2] ?? "").split("/").at(-1)?.trim() ?? "";
  return INTERPRETERS.find(([pattern]) => pattern.test(program))?.[1] ?? null;
}

function invert(table: Record<string, string>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(table).flatMap(([language, names]) => names.split(" ").map((name) => [name, language] as const)),
  );
}
