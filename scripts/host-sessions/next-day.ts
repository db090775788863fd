/**
 * What a later session on the same branch is handed, in real sessions: what was decided, what the last one did, and how it
 * got over an error. Claude Code and Codex edit, fail and go on with a session in ways of their own.
 */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BLOCK_END, BLOCK_START } from "../../src/sessions/clean-text.ts";
import { NUDGES } from "../../src/sessions/picks.ts";
import { estimatedTokens } from "../../src/text/tokens.ts";
import type { Reply, ScriptedModel } from "./model.ts";
import type { Place } from "./place.ts";

/** How a host is told to do things. */
export interface Ways {
  /** `goesOn`: with the last session. */
  session(prompt: string, goesOn: boolean): Promise<string>;
  shell(command: string): Reply;
  write(file: string, text: string): Reply;
  verb(name: string, input: object): Reply[];
}

const BUILD = "sh build.sh";
const SCRIPT = `grep -q berthOf src/berths.ts && echo Done. && exit 0\necho "quay.ts:12:3 - error TS2304: Cannot find name 'berthOf'." && exit 1\n`;
const OFFER = "Which one shall it be?\n1. in UTC\n2. in the harbour's local time";
const REPORT = `The build failed because \`berthOf()\` was missing in src/berths.ts, so it is exported from there now.\n\n${OFFER}`;
const DECISION = "Berth times are stored in UTC and shown in the zone of the harbour.";

export async function nextDay(
  place: Place,
  model: ScriptedModel,
  { session, shell, write, verb }: Ways,
): Promise<string> {
  const git = (words: string[]) =>
    execFileSync("git", ["-c", "user.name=a", "-c", "user.email=a@example.org", ...words], {
      cwd: place.project,
      stdio: "ignore",
    });
  mkdirSync(join(place.project, "src"));
  writeFileSync(join(place.project, "build.sh"), SCRIPT);
  for (const words of [
    ["init", "-b", "main"],
    ["add", "."],
    ["commit", "-m", "begin"],
    ["checkout", "-b", "berths"],
  ])
    git(words);
  /** All that was handed over in a session so far. */
  const handed = async (prompt: string, replies: Reply[], goesOn = false): Promise<string> => {
    model.script(replies);
    await session(prompt, goesOn);
    const blocks = model.requests
      .at(-1)!
      .replaceAll("\\n", "\n")
      .replaceAll('\\"', '"')
      .match(new RegExp(`${BLOCK_START}[^]*?${BLOCK_END}`, "g"));
    return (blocks ?? []).join("\n");
  };
  const nudges = (text: string) => Object.values(NUDGES).flatMap((nudge) => text.split(nudge).slice(1)).length;
  const repairing = [shell(BUILD), write("src/berths.ts", "export const berthOf = 1;"), shell(BUILD)];
  assert.equal(await handed("Store the berth times, please.", [...repairing, { text: REPORT }]), "");
  const proposing = verb("propose", { subject: "berth times", decision: DECISION, rejected: ["local time"] });
  assert.equal(nudges(await handed("1", [...proposing, { text: OFFER }], true)), 1, "a choice");
  assert.equal(nudges(await handed("2", [{ text: "Done." }], true)), 1, "once");
  assert.equal(
    nudges(await handed("no, never cut the names of harbours", [{ text: "Done." }], true)),
    2,
    "a correction",
  );
  await place.stele("extract");
  assert.match(await place.stele("proposals"), new RegExp(`berth times: ${DECISION}`));
  assert.doesNotMatch(await place.stele("proposals"), /: in UTC$/m, "the agent proposed it itself");
  const breaking = [shell("mv src/berths.ts away"), shell(BUILD), shell("mv away src/berths.ts"), { text: "Done." }];
  const later = await handed("Please go on with the ferry timetable", breaking);
  for (const expected of [
    DECISION,
    /### Last session on this branch, .*"Store the berth times, please\."/,
    /^Edited: src\/berths\.ts$/m,
    /^- agent, .*`berthOf\(\)` was missing/m,
    /- .*, an earlier session: a tool printed ".*TS2304.*"; it was gone after editing src\/berths\.ts\./,
  ])
    assert.match(later, typeof expected === "string" ? new RegExp(expected) : expected, later);
  return `the next session on the branch was handed ${estimatedTokens(later)} tokens`;
}
