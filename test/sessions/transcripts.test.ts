import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, describe, test } from "node:test";
import fc from "fast-check";
import { createTranscripts } from "../../src/sessions/transcript-files.ts";
import { runs } from "../lane.ts";
import { claudeLines } from "./transcript.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-transcripts-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const project = join(folder, "shop");
const transcripts = createTranscripts({
  claude: join(folder, "claude"),
  codex: join(folder, "codex"),
  project: [project],
});

function put(path: string, text: string, ageSeconds = 0): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  const at = 1_760_000_000 - ageSeconds;
  utimesSync(path, at, at);
  return path;
}

async function readWhole(
  path: string,
  stepBytes: number,
  isFinal = false,
): Promise<{ lines: string[]; steps: number }> {
  const lines: string[] = [];
  let steps = 0;
  for (let offset = 0; ; steps += 1) {
    const part = (await transcripts.read(path, offset, stepBytes, { isFinal }))!;
    lines.push(...part.lines);
    offset = part.offset;
    if (part.isEnd) return { lines, steps };
  }
}

describe("a transcript", () => {
  test("is read in any number of steps, line by line, without its unfinished end", async () => {
    const line = fc.string({ unit: "grapheme", maxLength: 40 }).map((text) => text.replaceAll("\n", " "));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 12 }),
        line,
        fc.integer({ min: 1, max: 64 }),
        async (all, rest, step) => {
          const path = put(join(folder, "any.jsonl"), all.map((one) => `${one}\n`).join("") + rest);
          const { lines } = await readWhole(path, step);
          const expected = Buffer.from(all.join("\n")).toString("utf8");
          assert.equal(lines.join("\n"), expected);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  test("that is final has its last line without a line end, if that is whole", async () => {
    const path = join(folder, "final.jsonl");
    for (const [text, expected] of [
      ['{"a":1}\n{"b":2}', ['{"a":1}', '{"b":2}']],
      ['{"b":2}', ['{"b":2}']],
      ['{"a":1}\n{"b":2', ['{"a":1}']],
      ['{"a":1}\n12', ['{"a":1}']],
      ['{"a":1}\n', ['{"a":1}']],
    ] as const) {
      put(path, text);
      for (const step of [1, 5, 1_000]) {
        assert.deepEqual((await readWhole(path, step, true)).lines, expected, text);
        const growing = (await readWhole(path, step)).lines;
        assert.deepEqual(growing, text.includes("\n") ? ['{"a":1}'] : [], text);
      }
    }
  });

  test("that goes on after its end is read on, and its lines are counted as if read at once", async () => {
    const path = put(join(folder, "resumed.jsonl"), '{"a":1}\n{"b":2}');
    const { offset, lines } = (await transcripts.read(path, 0, 100, { isFinal: true }))!;
    assert.deepEqual([offset, lines.length], [15, 2]);
    put(path, '{"a":1}\n{"b":2}\n');
    assert.deepEqual((await transcripts.read(path, offset, 100))!.lines, []);
    put(path, '{"a":1}\n{"b":2}\n{"c":3}\n');
    const later = (await transcripts.read(path, offset, 100))!;
    assert.deepEqual([later.lines, later.offset], [['{"c":3}'], 24]);
  });

  test("with a line of many megabytes is read around it", async () => {
    const path = put(join(folder, "long.jsonl"), `one\n${"x".repeat(17_000_000)}\ntwo\n`);
    assert.deepEqual((await readWhole(path, 100_000)).lines, ["one", "two"]);
    assert.equal((await transcripts.read(path, 4, 100_000))!.skipped, 1);
  });

  test("that is missing, a folder or a pipe to nowhere is none", async () => {
    assert.equal(await transcripts.find(join(folder, "none.jsonl")), null);
    assert.equal(await transcripts.find(folder), null);
    await assert.rejects(transcripts.read(join(folder, "none.jsonl"), 0, 10), { code: "unavailable" });
  });
});

describe("the transcripts of a project", () => {
  const claude = (name: string) => join(folder, "claude", "projects", name);
  const slug = project.replace(/[^A-Za-z0-9]/g, "-");
  const session = (cwd: string) => claudeLines([{ prompt: "hello" }], "s", cwd).join("\n") + "\n";
  const rollout = (cwd: string) =>
    `${JSON.stringify({ timestamp: "2026-01-15T09:00:00Z", type: "session_meta", payload: { id: "c1", cwd } })}\n`;

  test("are those of sessions in its folder or below, of both hosts, newest first", async () => {
    const own = put(join(claude(slug), "a.jsonl"), session(project), 30);
    const below = put(join(claude(`${slug}-api`), "b.jsonl"), session(join(project, "api")), 10);
    const codex = put(join(folder, "codex/sessions/2026/01/15/rollout-1.jsonl"), rollout(project), 20);
    put(join(claude(`${slug}-other`), "c.jsonl"), session(`${project}-other`), 5);
    put(join(claude(slug), "agent-x.jsonl"), session(project), 1);
    put(join(claude(slug), "empty.jsonl"), "", 1);
    put(join(claude(slug), "junk.jsonl"), "not a transcript\n", 1);
    put(join(folder, "codex/sessions/2026/01/15/rollout-2.jsonl"), rollout("/elsewhere"), 1);
    const found = await transcripts.ofProject(10);
    assert.deepEqual(
      found.map(({ path, host }) => [path, host]),
      [
        [below, "claude-code"],
        [codex, "codex"],
        [own, "claude-code"],
      ],
    );
    assert.equal((await transcripts.ofProject(1)).length, 1);
    const stray = put(join(claude(slug), "d.jsonl"), session("/moved/shop"), 5);
    const told = { transcript: stray, folder: "/moved/shop" };
    assert.deepEqual(await transcripts.strays(10), [told], "what lies beside other projects is no stray");
    assert.deepEqual([await transcripts.strayOf(stray), await transcripts.strayOf(own)], [told, null]);
  });

  test("are found where the session named the project through a link", async () => {
    mkdirSync(project, { recursive: true });
    symlinkSync(project, join(folder, "shop-link"));
    const linked = put(join(claude(`${slug}-link`), "l.jsonl"), session(join(folder, "shop-link")), 2);
    assert.ok((await transcripts.ofProject(10)).some(({ path }) => path === linked));
  });

  test("are none where no host ever ran", async () => {
    const none = createTranscripts({ claude: join(folder, "no"), codex: join(folder, "no"), project: [project] });
    assert.deepEqual(await none.ofProject(10), []);
  });
});
