/**
 * Skip rules: which files are not worth indexing, judged by name or text, and the patterns of ignore files.
 *
 * An ignore file applies to its own folder. Its patterns are rewritten relative to the root, so that the rules of a
 * folder and of all its parents form one list in which the last match decides, as in git.
 */

/**
 * Never entered, ignored or not. In a worktree or submodule `.git` is a file, which is not part of the project either.
 */
const NEVER: ReadonlySet<string> = new Set([".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv"]);

export function isNeverEntered(name: string): boolean {
  return NEVER.has(name);
}

const words = (list: string) => new Set(list.split(/\s+/));

const BINARY = words(
  `png jpg jpeg gif bmp ico icns webp avif heic tif tiff psd xcf mp3 mp4 m4a m4v mov avi mkv webm ogg oga ogv wav flac aac
  ttf otf woff woff2 eot zip gz tgz bz2 xz zst 7z rar tar jar war ear whl egg nupkg deb rpm apk ipa dmg iso img pdf doc docx
  xls xlsx ppt pptx odt ods odp epub exe dll so dylib a lib o obj ko pyc pyo pyd wasm node bin dat db sqlite sqlite3
  parquet arrow feather npy npz pkl pickle pt pth onnx safetensors gguf h5 hdf5 tflite lockb ds_store swp class`,
);
const GENERATED_NAMES = words(
  `package-lock.json npm-shrinkwrap.json packages.lock.json pnpm-lock.yaml go.sum gradle.lockfile .pnp.cjs .pnp.loader.mjs`,
);
const GENERATED =
  /\.(lock|map|snap)$|\.min\.(js|mjs|cjs|css)$|\.pb\.(go|cc|h)$|_pb2(_grpc)?\.pyi?$|\.(g|freezed)\.dart$|\.designer\.cs$/;
const SECRET =
  /^\.env(?!.*\.(example|sample|template|dist)$)(\..*)?$|\.(pem|key|p12|pfx|jks|keystore|kdbx)$|^id_(rsa|dsa|ecdsa|ed25519)$|^\.(netrc|pgpass|htpasswd)$/;
/** Files that a database keeps beside itself and constantly rewrites. */
const BESIDE_DATABASE = /\.\w+-(wal|shm)$|-journal$/;
const CONTROL = /\p{Cc}/gu;

/** Why a file or folder with this name cannot be reported, or null. */
export function nameFault(name: string): string | null {
  if (name.includes("\uFFFD")) return "its name is not valid UTF-8";
  return name.search(CONTROL) >= 0 ? "its name has control characters" : null;
}

/** Why a file with this name is not opened, or null. */
export function reasonByName(name: string): string | null {
  const fault = nameFault(name);
  if (fault) return fault;
  const lower = name.toLowerCase();
  if (BINARY.has(lower.slice(lower.lastIndexOf(".") + 1)) && lower.includes(".")) return "binary";
  if (BESIDE_DATABASE.test(lower)) return "binary";
  if (GENERATED_NAMES.has(lower) || GENERATED.test(lower)) return "generated";
  return SECRET.test(lower) ? "keeps secrets" : null;
}

export const CHANGED = "changed while it was read";
export const GONE = "gone";
export const LEADS_OUT = "leads out of the project";
export const LINK = "a link";
export const BEHIND_LINK = "behind a link";
export const NOT_REGULAR = "not a regular file";
const UNREADABLE = "cannot be read";

/** System error codes in plain words. */
const REASON_BY_CODE: Record<string, string> = {
  ENOENT: GONE,
  ENOTDIR: GONE,
  ELOOP: LINK,
  EACCES: "may not be read",
  EPERM: "may not be read",
  ENAMETOOLONG: "its path is too long",
  EISDIR: NOT_REGULAR,
  ENXIO: NOT_REGULAR,
};

export function reasonBySystem(code: string): string {
  return REASON_BY_CODE[code] ?? `${UNREADABLE} (${code})`;
}

const TEMPORARY: ReadonlySet<string> = new Set([CHANGED, BEHIND_LINK, ...Object.values(REASON_BY_CODE)]);

/**
 * Whether the cause is the system and not the file: it may go away at any moment without changing the file's size or
 * modification time.
 */
export function isTemporary(reason: string): boolean {
  return TEMPORARY.has(reason) || reason.startsWith(UNREADABLE);
}

/** A path that is safe to show. */
export function shownPath(path: string): string {
  return path.replaceAll(CONTROL, "\uFFFD");
}

const HEAD_LENGTH = 2_000;
const MARK = /^[^\w\n]*@generated\b/m;
const WARNING = /\bDO NOT (EDIT|MODIFY)\b/;
const DOCUMENT = /\.(md|mdx|markdown|rst|adoc|txt|org)$/i;
const MINIFIED_FROM = 5_000;
const AVERAGE_LINE = 300;
const LONGEST_LINE = 50_000;

/** Why this text is not worth reading, or null. Prose is exempt: it has long lines, and is read even when generated. */
export function reasonByText(path: string, text: string): string | null {
  if (DOCUMENT.test(path)) return null;
  const head = text.slice(0, HEAD_LENGTH);
  if (MARK.test(head) || (WARNING.test(head) && /generated/i.test(head))) return "generated";
  if (text.length < MINIFIED_FROM) return null;
  let [lines, longest, start] = [0, 0, 0];
  while (start < text.length) {
    const end = text.indexOf("\n", start);
    const next = end === -1 ? text.length : end + 1;
    longest = Math.max(longest, next - start);
    lines += 1;
    start = next;
  }
  return text.length > AVERAGE_LINE * lines || longest > LONGEST_LINE ? "minified" : null;
}

const KILOBYTE = 1_000;
const MEGABYTE = 1_000_000;

export function tooLarge(limitBytes: number): string {
  if (limitBytes % MEGABYTE === 0) return `larger than ${limitBytes / MEGABYTE} MB`;
  if (limitBytes % KILOBYTE === 0) return `larger than ${limitBytes / KILOBYTE} KB`;
  return `larger than ${limitBytes.toLocaleString("en")} bytes`;
}

const LONGEST_PATTERN = 1_000;
const MOST_STARS = 20;
const MOST_DOUBLE_STARS = 3;

const doubleStarsIn = (pattern: string): number => pattern.match(/\*{2,}/g)?.length ?? 0;

/** Whether matching tries it at many depths, and again at many depths below each. */
export function isSlowPattern(pattern: string): boolean {
  return doubleStarsIn(pattern) > 1 && /[^!/]\/\*\*+\/[^*]/.test(pattern);
}

/** Why a pattern is not used, or null: matching time is the path depth to the power of its double stars. */
export function patternFault(pattern: string): string | null {
  if (pattern.length > LONGEST_PATTERN) return `is longer than ${LONGEST_PATTERN} characters`;
  if (doubleStarsIn(pattern) > MOST_DOUBLE_STARS) return `has "**" more than ${MOST_DOUBLE_STARS} times`;
  return pattern.split("*").length > MOST_STARS + 1 ? `has more than ${MOST_STARS} stars` : null;
}

/**
 * The patterns of an ignore file in this folder ("" is the root), rewritten relative to the root, and the rejected
 * ones.
 */
export function ignorePatterns(text: string, folder: string): { patterns: string[]; unfit: string[] } {
  const lines = text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .filter((line) => line !== "" && !line.startsWith("#"));
  const { fit = [], unfit = [] } = Object.groupBy(lines, (line) => (patternFault(line) === null ? "fit" : "unfit"));
  return { patterns: fit.flatMap((line) => fromRoot(line, folder) ?? []), unfit };
}

function fromRoot(line: string, folder: string): string | null {
  if (folder === "") return line;
  const negation = line.startsWith("!") ? "!" : "";
  const pattern = withoutTrailingSpaces(line.slice(negation.length));
  if (pattern === "" || pattern === "/") return null;
  // A slash at the end means "folders only"; any other anchors the pattern to its folder.
  const isAnchored = pattern.slice(0, -1).includes("/");
  return `${negation}/${escaped(folder)}/${isAnchored ? pattern.replace(/^\//, "") : `**/${pattern}`}`;
}

/** As in git, a space after a backslash stays. */
function withoutTrailingSpaces(pattern: string): string {
  let end = pattern.length;
  while (end > 0 && pattern[end - 1] === " ") end -= 1;
  const backslashes = /\\*$/.exec(pattern.slice(0, end))?.[0].length ?? 0;
  return end < pattern.length && backslashes % 2 === 1 ? pattern.slice(0, end + 1) : pattern.slice(0, end);
}

const escaped = (folder: string) => folder.replaceAll(/[\\*?[\]!# ]/g, "\\$&");
