/**
 * The files of the page, read once and kept in memory.
 *
 * A request names a file of this list or finds nothing: no path from outside ever reaches the disk. They tell nothing
 * about anybody, so they need no token.
 */
import { createHash } from "node:crypto";
import { existsSync, lstatSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** A browser reads no TypeScript: a checkout that runs from its sources shows the page that was built last. */
const FOLDERS = ["../page/", "../../dist/page/"].map((path) => fileURLToPath(new URL(path, import.meta.url)));
const PAGE_FOLDER: string = FOLDERS.find((folder) => existsSync(join(folder, "page.js"))) ?? FOLDERS[0]!;
const FIRST = "/index.html";

const TYPES: Readonly<Record<string, string>> = {
  html: "text/html; charset=utf-8",
  css: "text/css; charset=utf-8",
  js: "text/javascript; charset=utf-8",
  json: "application/json; charset=utf-8",
  svg: "image/svg+xml; charset=utf-8",
  png: "image/png",
  woff2: "font/woff2",
};

export interface PageFile {
  type: string;
  bytes: Uint8Array<ArrayBuffer>;
  /** Changes with the content. */
  tag: string;
}

/** By the path of the request; empty if the page is not installed. */
export function readPage(folder: string = PAGE_FOLDER): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>();
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return files;
  for (const path of pathsIn(folder)) {
    const type = TYPES[/\.(\w+)$/.exec(path)?.[1] ?? ""];
    if (type === undefined) continue;
    const bytes = new Uint8Array(readFileSync(folder + path));
    const tag = `"${createHash("sha256").update(bytes).digest("base64url").slice(0, 22)}"`;
    files.set(path, { type, bytes, tag });
  }
  const first = files.get(FIRST);
  if (first !== undefined) files.set("/", first);
  return files;
}

/** Links are left out: they could lead anywhere. */
const pathsIn = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (entry.isDirectory()) return pathsIn(join(folder, entry.name)).map((path) => `/${entry.name}${path}`);
    return entry.isFile() ? [`/${entry.name}`] : [];
  });

/** Asked for again whenever the page is opened, but sent again only if it has changed. */
export function pageResponse({ type, bytes, tag }: PageFile, knownTag: string | undefined): Response {
  const headers = { "content-type": type, "cache-control": "no-cache", etag: tag };
  return knownTag === tag ? new Response(null, { status: 304, headers }) : new Response(bytes, { headers });
}

/**
 * Addresses of the page. What follows the `#` never leaves the browser: it is in no request, no log and no referrer.
 *
 * `code` lets a person in, `project` is the folder to show, `item` the handle of what to look at.
 */
interface Shown {
  code?: string;
  project?: string;
  item?: string | null;
}

export function pageAddress(url: string, shown: Shown): string {
  const said = Object.entries(shown).filter((entry): entry is [string, string] => typeof entry[1] === "string");
  const address = new URL("/", url);
  address.hash = new URLSearchParams(said).toString();
  return address.href;
}
