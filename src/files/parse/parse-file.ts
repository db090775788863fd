/**
 * Parses one file into passages, symbols and references.
 *
 * Whatever a file does to its grammar, its text is kept: then its passages are plain text, and `fault` says why.
 */
import type { SourceText } from "../../ports.ts";
import { textPassages } from "../../text/passages.ts";
import type { CodeSymbol, ParsedFile } from "../corpus.ts";
import { isParsed, languageOf } from "../languages.ts";
import { codePassages, definitionsOf } from "./code.ts";
import type { Grammars } from "./grammars.ts";

const PARSE_LIMIT_MS = 2_000;

export interface Parsing {
  file: ParsedFile;
  /** The thread that parsed it should not get another file. */
  isBroken: boolean;
}

export async function parseFile(source: SourceText, grammars: Grammars, limitMs = PARSE_LIMIT_MS): Promise<Parsing> {
  if (source.shelf === "document") return parseDocument(source);
  const { path, text } = source;
  const language = languageOf(path, text);
  if (!isParsed(language)) return { file: plainFile(source), isBroken: false };
  const matches = await grammars.matches(text, language, limitMs);
  if (!Array.isArray(matches)) return { file: plainFile(source, matches.fault), isBroken: matches.isBroken };
  const definitions = definitionsOf(matches, text, language);
  const symbols = definitions.map(({ fromLine: _, ...symbol }): CodeSymbol => symbol);
  return {
    file: { ...plain, language, symbols, passages: codePassages(text, definitions, source.chunk) },
    isBroken: false,
  };
}

async function parseDocument(source: SourceText): Promise<Parsing> {
  if (languageOf(source.path) !== "markdown") return { file: plainFile(source), isBroken: false };
  const { parseMarkdown } = await import("./markdown.ts");
  try {
    return { file: parseMarkdown(source.text), isBroken: false };
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown);
    return { file: plainFile(source, `It could not be read as markdown: ${reason.slice(0, 200)}`), isBroken: false };
  }
}

const plain: Omit<ParsedFile, "language" | "passages"> = {
  title: null,
  symbols: [],
  references: [],
  tags: [],
  fault: null,
};

/** A file as plain text. */
export function plainFile({ path, text, shelf, chunk }: SourceText, fault: string | null = null): ParsedFile {
  const passages =
    shelf === "code"
      ? codePassages(text, [], chunk)
      : textPassages(text, chunk).map((piece, ordinal) => ({ ordinal, heading: null, ...piece }));
  return { ...plain, language: languageOf(path, text), passages, fault };
}
