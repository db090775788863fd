/**
 * Where a run takes place: homes, and one work folder with files that nobody should trust.
 *
 * The work folder lies deep enough that no generated path leaves the run's own folder.
 */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makePipe } from "../child.ts";
import { encryptedHomes } from "./home-key.ts";

export interface Place {
  folder: string;
  work: string;
  /** Names in the work folder, some of files that are there and some of files that may come. */
  files: readonly string[];
  newHome(name: string): string;
  remove(): void;
}

const LONG_LINE_BYTES = 3_000_000;

const CONTENTS: Record<string, string | Buffer> = {
  "empty.jsonl": "",
  "garbage.jsonl": Buffer.from(Array.from({ length: 5_000 }, (_, index) => (index * 7_919) % 256)),
  "half.jsonl": '{"kind":"header","version":1}\n{"kind":"it',
  "wrong.jsonl": 'null\n[]\n"text"\n{"__proto__":{}}\n{"kind":"item","item":{"id":null}}\n',
  "deep.jsonl": "[".repeat(100_000),
  "long-line.jsonl": "x".repeat(LONG_LINE_BYTES),
};
const ABSENT = ["out.jsonl", "out.md", "more/out.jsonl", "nowhere.jsonl", "out"];

export async function createPlace({ encrypted = false } = {}): Promise<Place> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "stele-fuzz-")));
  const work = join(folder, "very", "deep", "work");
  mkdirSync(join(work, "folder"), { recursive: true });
  for (const [name, content] of Object.entries(CONTENTS)) writeFileSync(join(work, name), content);
  symlinkSync("loop", join(work, "loop"));
  symlinkSync("/dev/zero", join(work, "endless"));
  const special = ["folder", "loop", "endless", "pipe"];
  makePipe(join(work, "pipe"));
  const fill = encrypted ? await encryptedHomes(folder) : null;
  return {
    folder,
    work,
    files: [...Object.keys(CONTENTS), ...special, ...ABSENT],
    newHome: (name) => {
      const home = join(folder, "homes", name);
      mkdirSync(home, { recursive: true });
      fill?.(home);
      return home;
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}
