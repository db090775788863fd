/** Runs git for tests, with nothing of this machine's settings. The product never runs it. */
import assert from "node:assert/strict";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { runStill } from "../../child.ts";

export const START = Date.UTC(2026, 0, 15) / 1_000;

export interface RealGit {
  (folder: string, ...args: string[]): string;
  /** Seconds. */
  now(): number;
}

/** Every run is a minute later than the one before. */
export function realGit(start = START): RealGit {
  let second = start;
  const git = (folder: string, ...args: string[]): string => {
    second += 60;
    const who = (name: string) => ({ [`GIT_${name}_NAME`]: "Ada", [`GIT_${name}_EMAIL`]: "ada@example.com" });
    const { code, output, errors } = runStill("git", ["-C", folder, "-c", "protocol.file.allow=always", ...args], {
      PATH: process.env["PATH"],
      HOME: folder,
      GIT_CONFIG_GLOBAL: "/dev/null",
      GIT_CONFIG_SYSTEM: "/dev/null",
      ...who("AUTHOR"),
      ...who("COMMITTER"),
      GIT_MERGE_AUTOEDIT: "no",
      LC_ALL: "C",
      GIT_AUTHOR_DATE: `${second} +0000`,
      GIT_COMMITTER_DATE: `${second} +0000`,
    });
    assert.equal(code, 0, `git ${args.join(" ")}: ${errors}`);
    return output.trim();
  };
  return Object.assign(git, { now: () => second });
}

export function gitFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "stele-history-")));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
