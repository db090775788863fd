/**
 * References: resolves the links in a document to other documents.
 *
 * A reference is stored as written: a link target, `[[a page]]`, `specs/name`, or `Refs: name`. References that leave
 * the project, match no known document or point to the document itself are dropped.
 */
export interface KnownDocument {
  path: string;
  title: string | null;
}

interface ReferenceReader {
  /** The paths a document refers to, each once, in order of reference. */
  resolve(from: string, references: readonly string[]): string[];
}

/** Prefix of a name in a line of references. */
export const REFS = "Refs: ";
const ENDINGS = ["", ".md", ".mdx", ".markdown", "/README.md", "/index.md", "/spec.md"];
const ENDING = /\.(?:md|mdx|markdown)$/i;
const SPECS = /(?:^|\/)specs\/([^/]+)(?:\/spec\.md|\.md)$/i;

const PAGE_NAME = /^!?\[\[([^\]]*)\]\]$/;

/** A wiki link may name a document by its title. */
export const isPageName = (reference: string): boolean => PAGE_NAME.test(reference);

export function isExternal(reference: string): boolean {
  return /^(?:[a-z][a-z0-9+.-]*:(?!\s)|\/\/|#|\?)/i.test(reference.trim());
}

export function referenceReader(documents: readonly KnownDocument[]): ReferenceReader {
  const paths = new Set(documents.map(({ path }) => path));
  const names = namesOf(documents);
  const known = (candidate: string | null) =>
    candidate === null ? null : (ENDINGS.map((ending) => candidate + ending).find((path) => paths.has(path)) ?? null);
  const byPath = (from: string, target: string) =>
    known(joined(target.startsWith("/") ? "" : folderOf(from), target)) ?? known(joined("", target));

  function one(from: string, reference: string): string | null {
    const wiki = PAGE_NAME.exec(reference)?.[1];
    if (wiki !== undefined) {
      const page = (wiki.split(/[|#]/, 1)[0] ?? "").trim();
      if (page === "") return null;
      return byPath(from, page) ?? names.stems.get(folded(page)) ?? names.titles.get(folded(page)) ?? null;
    }
    if (reference.startsWith(REFS)) {
      const name = reference.slice(REFS.length).trim();
      return names.specs.get(folded(name)) ?? byPath(from, name) ?? names.stems.get(folded(name)) ?? null;
    }
    if (isExternal(reference)) return null;
    const target = decoded(reference.split(/[#?]/, 1)[0] ?? "").trim();
    if (target === "") return null;
    const spec = /^specs\/([^/]+)(?:\/(?:spec\.md)?)?$/i.exec(target)?.[1];
    return byPath(from, target) ?? (spec === undefined ? null : (names.specs.get(folded(spec)) ?? null));
  }

  return {
    resolve(from, references) {
      const found = new Set(references.map((reference) => one(from, reference)));
      return [...found].filter((path) => path !== null && path !== from) as string[];
    },
  };
}

interface Names {
  stems: ReadonlyMap<string, string>;
  titles: ReadonlyMap<string, string>;
  specs: ReadonlyMap<string, string>;
}

/** If several documents share a name, the one nearest to the root gets it: copies in an archive are deeper. */
function namesOf(documents: readonly KnownDocument[]): Names {
  const [stems, titles, specs] = [new Map<string, string>(), new Map<string, string>(), new Map<string, string>()];
  const give = (names: Map<string, string>, name: string | null | undefined, path: string) => {
    if (name && !names.has(folded(name))) names.set(folded(name), path);
  };
  const nearest = documents
    .map((document) => ({ ...document, depth: document.path.split("/").length }))
    .sort((a, b) => a.depth - b.depth || (a.path < b.path ? -1 : 1));
  for (const { path, title } of nearest) {
    give(stems, path.slice(path.lastIndexOf("/") + 1).replace(ENDING, ""), path);
    give(titles, title, path);
    give(specs, SPECS.exec(path)?.[1], path);
  }
  return { stems, titles, specs };
}

const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf("/")));
const folded = (text: string): string => text.normalize("NFC").toLowerCase();

/** Null if it leads out of the project. */
function joined(folder: string, target: string): string | null {
  const parts = folder === "" ? [] : folder.split("/");
  for (const part of target.split("/")) {
    if (part === "..") {
      if (parts.pop() === undefined) return null;
    } else if (part !== "" && part !== ".") {
      parts.push(part);
    }
  }
  return parts.join("/");
}

/** Invalid encodings stay as they are. */
function decoded(target: string): string {
  return target.replace(/(?:%[0-9a-f]{2})+/gi, (codes) => {
    const bytes = codes
      .slice(1)
      .split("%")
      .map((code) => parseInt(code, 16));
    const text = new TextDecoder().decode(Uint8Array.from(bytes));
    return text.includes("\ufffd") ? codes : text;
  });
}
