/** Every verb on a home that cannot be written, through the library and the shipped program: not a byte changes. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "../../src/index.ts";
import { runChild } from "../child.ts";
import { SETTINGS } from "../fuzz/settings.ts";
import { claudeLines, FIXED_LOGIN, writeTranscript } from "../sessions/transcript.ts";
import { readOnlyFolder } from "./own-mount.ts";

/** A document of the project. */
const DOCUMENT = "deploys.md";

interface Way {
  /** What may be done with the home; the folders and the files. */
  modes: [folders: number, files: number];
  isReadable: boolean;
  wrapper(home: string): string[];
}

const WAYS: Record<string, Way> = {
  "that may be read": { modes: [0o555, 0o444], isReadable: true, wrapper: () => [] },
  "on a read-only mount": { modes: [0o700, 0o600], isReadable: true, wrapper: readOnlyFolder },
  "that may not even be read": { modes: [0o000, 0o000], isReadable: false, wrapper: () => [] },
};

for (const [name, way] of Object.entries(WAYS))
  test(`every verb on a closed home ${name}`, async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), "stele-closed-")));
    const [home, work] = [join(folder, "home"), join(folder, "work")];
    mkdirSync(work);
    await fill(home, work);
    const entries = entriesIn(home);
    const close = ([folders, files]: Way["modes"]) => {
      for (const { path, isFolder } of entries) chmodSync(path, isFolder ? folders : files);
    };
    const reopen = () => {
      // From the outside in: what is in a closed folder cannot be reached.
      for (const { path, isFolder } of entries.toReversed()) chmodSync(path, isFolder ? 0o700 : 0o600);
    };
    try {
      const before = fingerprint(home);
      close(way.modes);
      const script = new URL("fixtures/every-verb-read-only.ts", import.meta.url);
      const args = [home, work, DOCUMENT, way.isReadable ? "readable" : "closed"];
      const { code, output, errors } = await runChild(script, args, { wrapper: way.wrapper(home) });
      assert.deepEqual([code, errors], [0, ""], output);
      reopen();
      assert.deepEqual(fingerprint(home), before);
    } finally {
      reopen();
      rmSync(folder, { recursive: true, force: true });
    }
  });

/** A home with something of everything, a backup, and beside it what another home exported. */
async function fill(home: string, work: string): Promise<void> {
  const options = { project: work, settings: SETTINGS, session: "s" };
  const other = await open({ home: join(work, "other home"), ...options });
  await other.remember({ content: "a memory that only the other home has" });
  await other.export({ path: join(work, "other.jsonl") });
  await other.close();
  rmSync(join(work, "other home"), { recursive: true });
  writeFileSync(join(work, DOCUMENT), "# Deploys\n\nDeploys must need two approvals.\n");
  const stele = await open({ home, ...options });
  for (const scope of ["project", "global", "working"] as const)
    for (const number of [1, 2, 3]) await stele.remember({ content: `${scope} memory ${number} about deploys`, scope });
  await stele.remember({ content: "sessions live in cookies", type: "decision" });
  await stele.log({ text: "Ann: cookies or tokens?\nBo: tokens\n" });
  const transcript = join(work, "heard.jsonl");
  writeTranscript(transcript, claudeLines(FIXED_LOGIN, "heard", work));
  await stele.extract({ path: transcript, end: true });
  await stele.index({});
  await stele.backup({});
  await stele.recall({ query: "deploys" });
  await stele.remember({ content: "this one waits for its vector" });
  await stele.close();
}

interface Entry {
  path: string;
  isFolder: boolean;
}

/** The deepest first. */
function entriesIn(home: string): Entry[] {
  const inside = readdirSync(home, { recursive: true, withFileTypes: true });
  const entries = inside.map((entry) => ({ path: join(entry.parentPath, entry.name), isFolder: entry.isDirectory() }));
  return [...entries, { path: home, isFolder: true }].sort((one, two) => two.path.length - one.path.length);
}

/** Of every file and folder its times and its content. */
function fingerprint(home: string): Map<string, string> {
  return new Map(
    entriesIn(home).map(({ path, isFolder }) => {
      const { mtimeMs, size } = statSync(path);
      const content = isFolder ? "" : createHash("sha256").update(readFileSync(path)).digest("hex");
      return [path, `${mtimeMs} ${size} ${content}`];
    }),
  );
}
