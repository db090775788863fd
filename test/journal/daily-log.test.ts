/** The daily log, written by a world that has it on. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { openWorld } from "../../src/app/compose.ts";
import { dailyLines } from "../../src/journal/daily-log.ts";
import { insertion, newItem } from "../store/suite/trial.ts";
import { keep } from "../test-world.ts";

const top = mkdtempSync(join(tmpdir(), "stele-daily-"));
after(() => rmSync(top, { recursive: true, force: true }));
const NOON = new Date(2026, 10, 3, 12, 5).getTime();
let homes = 0;

async function written(
  dailyLog: object,
  more: object = {},
  contents: readonly string[] = ["Tabs are four wide"],
  now = NOON,
) {
  const [home, project] = ["home", "project"].map((name) => join(top, `${name}-${(homes += 1)}`)) as [string, string];
  mkdirSync(project);
  const warnings: string[] = [];
  const log = { debug: () => undefined, warn: (message: string) => void warnings.push(message) };
  const settings = { dailyLog, ...more } as never;
  const { world, close } = await openWorld({ host: "cli", home, project, settings, log, clock: { now: () => now } });
  for (const content of contents) assert.equal((await keep(world, content)).status, "stored");
  await close();
  const folder = join(home, "daily");
  const path = join(folder, "2026-11-03.md");
  const text = existsSync(path) ? readFileSync(path, "utf8") : null;
  return { home, project, folder, text, warnings };
}

test("off unless it is set; then a line for each memory, in a file that only its owner reads", async () => {
  assert.equal((await written({})).text, null);
  const { text, folder } = await written({ enabled: "on" }, {}, ["Tabs are\nfour wide", "Dates are UTC"]);
  assert.match(
    text!,
    /^# 2026-11-03\n\n- 12:05 remembered fact \[\w{8}\]: Tabs are four wide\n- 12:05 .*: Dates are UTC\n$/,
  );
  assert.deepEqual([folder, join(folder, "2026-11-03.md")].map((path) => statSync(path).mode & 0o777), [0o700, 0o600]); // prettier-ignore
});

test("never in the project or the notes folder, nor around it: a warning, and the memory is kept", async () => {
  const notes = join(top, "notes");
  for (const [folder, more] of [
    [join(notes, "log"), { notes: { folder: notes } }],
    [top, { notes: { folder: notes } }],
  ] as const) {
    const { warnings } = await written({ enabled: "on", folder }, more);
    assert.match(warnings.join("\n"), /daily log is not written/);
    assert.ok(!existsSync(join(folder, "2026-11-03.md")));
  }
});

test("nor by way of a link", async () => {
  const [notes, link] = [join(top, "linked notes"), join(top, "link")];
  mkdirSync(notes);
  symlinkSync(notes, link);
  const { warnings } = await written({ enabled: "on", folder: join(link, "log") }, { notes: { folder: link } });
  assert.match(warnings.join("\n"), /daily log is not written/);
  assert.deepEqual(readdirSync(notes), []);
});

test("days and times are those of the person's zone", async () => {
  const { home } = await written({ enabled: "on" }, { time: { zone: "Pacific/Kiritimati" } }, ["Tabs"], Date.UTC(2026, 10, 3, 12, 5)); // prettier-ignore
  assert.match(readFileSync(join(home, "daily", "2026-11-04.md"), "utf8"), /^- 02:05 remembered/m);
  assert.equal((await written({ enabled: "on" }, { time: { zone: "Nowhere/None" } })).text, null, "it fails nothing");
});

test("a log that cannot be written fails nothing", async () => {
  const [folder, target] = [join(top, "linked"), join(top, "elsewhere.md")];
  mkdirSync(folder);
  symlinkSync(target, join(folder, "2026-11-03.md"));
  await written({ enabled: "on", folder });
  assert.ok(!existsSync(target), "a link is not followed");
  assert.deepEqual(readdirSync(folder), ["2026-11-03.md"]);
});

test("lines: what became of it, at most 200 characters, without secrets", () => {
  const canary = ["ghp", `${"k7Qw2Zp9".repeat(4)}Xy4T`].join("_");
  const line = (shelf: Parameters<typeof insertion>[0], set: Parameters<typeof newItem>[0], verb = "remember") =>
    dailyLines([insertion(shelf, newItem(set))], { verb }, "09:30")[0]?.replace(/ \[.*?\]/, "");
  assert.equal(line("memory", { type: "gotcha", content: "x", source: "extraction" }), "- 09:30 captured gotcha: x");
  assert.equal(
    line("decision", { type: "decision", title: "Storage", content: "SQLite" }),
    "- 09:30 decided: Storage: SQLite",
  );
  assert.equal(line("proposal", { type: "decision", title: null, content: "SQLite" }), "- 09:30 proposed: SQLite");
  assert.equal(line("evidence", { content: "x" }), undefined);
  assert.equal(line("memory", { content: "x", source: "file-index" }), undefined, "a note would come back");
  assert.equal(line("memory", { content: "x", scope: "working" }), undefined);
  assert.equal(line("memory", { content: "x" }, "import"), undefined);
  const [long] = dailyLines(
    [insertion("memory", newItem({ content: `${canary} ${"word ".repeat(200)}` }))],
    { verb: "" },
    "09:30",
  );
  assert.ok(long!.length <= 200 && !long!.includes("k7Qw2Zp9"), long);
});
