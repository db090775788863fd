/**
 * The shape of the tests, as a test: none is left out, none depends on where it lies, on who runs it or on how
 * fast the machine is, and none starts a process that nobody ends.
 */
import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
/** What would be found in itself. */
const OWN = "test/test-rules.test.ts";

interface Rule {
  what: string;
  where: string;
  pattern: RegExp;
  /** Files that may. */
  except?: readonly string[];
  found: readonly string[];
  fine: readonly string[];
}

const RULES: readonly Rule[] = [
  {
    what: "a test that is left out, or leaves out others",
    where: "test/**/*.ts",
    pattern:
      /\.\s*(?:skip|todo|only|runOnly)\s*\(|\b(?:test|it|describe|suite)\((?:(?!=>|\bfunction\b)[^])*?[{,]\s*(?:skip|todo|only)\s*[:,}]/,
    found: [
      "test.skip(TITLE, () => {})",
      "context . todo()",
      "describe.only(TITLE, () => {})",
      "t.runOnly(true)",
      "test(TITLE, { skip: true }, () => {})",
      "test(\n  TITLE,\n  { timeout: 5, todo },\n  async () => {},\n)",
      "describe(TITLE, { only: isHere }, () => {})",
    ],
    fine: [
      "test(TITLE, async () => rules({ skip: true }))",
      "path: only(kind)",
      "for (const a of b) test(TITLE, () => {})",
    ],
  },
  {
    what: "the user or the system it runs on",
    where: "test/**/*.ts",
    pattern: /process\.(?:platform|arch|sete?[ug]id|setgroups)\b|process\.gete?[ug]id\W*\(\)\s*[=!<>?&|]/,
    found: ["if (process.getuid?.() === 0) return;", "process.platform", "process.setuid(1)"],
    fine: ["process.execPath", "const user = process.getuid!();"],
  },
  {
    what: "the path of a URL: it is encoded, and no path",
    where: "{src,test,scripts,bench,bin}/**/*.{ts,js}",
    pattern: /\.pathname\b|import\.meta\.url\s*\.(?!endsWith)|\bpathname\s*[,}]/,
    found: ["new URL(NAME, import.meta.url).pathname", "const { pathname } = url", "import.meta.url.slice(7)"],
    fine: ["fileURLToPath(new URL(NAME, import.meta.url))", "new URL(NAME, import.meta.url).href"],
  },
  {
    what: "a process that is started past test/child.ts and test/mcp.ts",
    where: "test/**/*.ts",
    pattern: /node:child_process|StdioClientTransport/,
    except: ["test/child.ts", "test/mcp.ts"],
    found: ['import { spawn } from "node:child_process";', "new StdioClientTransport({ command })"],
    fine: ['import { startChild } from "../child.ts";'],
  },
  {
    what: "how long something takes",
    where: "test/**/*.test.ts",
    pattern: /performance\.now\(|process\.hrtime|assert[^;]*Date\.now\(/,
    found: ["const started = performance.now();", "assert.ok(Date.now() - begun < 100)"],
    fine: ["await until(() => isDone)"],
  },
];

/** Without comments, and without what texts and patterns say. */
const bare = (source: string): string =>
  source
    .replace(/^\s*(?:\*|\/\/|\/\*).*$/gm, "")
    .replace(/"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, (text) => (text.startsWith('"node:') ? text : '""'))
    .replace(/\/(?![/*\s])(?:[^/\\\n]|\\.)+\/[dgimsuvy]*(?=\s*[,;).\]])/g, "/./");

for (const { what, where, pattern, except = [], found, fine } of RULES) {
  test(`no test has to do with: ${what}`, () => {
    const files = globSync(where, { cwd: root, exclude: (name) => name === "node_modules" }).filter(
      (file) => file !== OWN && !except.includes(file),
    );
    assert.ok(files.length > 20);
    const guilty = files.filter((file) => pattern.test(bare(readFileSync(join(root, file), "utf8"))));
    assert.deepEqual(guilty, []);
  });

  test(`it would be noticed: ${what}`, () => {
    for (const source of found) assert.match(bare(source.replace("TITLE", '"a title"')), pattern);
    for (const source of fine) assert.doesNotMatch(bare(source.replace("TITLE", '"a title, only"')), pattern);
  });
}
