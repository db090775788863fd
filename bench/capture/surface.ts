/**
 * What the surface alone tells of the last three stretches of work, beside one of the newest memories.
 *
 * The sessions of the corpus are taken in one after the other, as if all were of one project, each up to the end of a
 * row; after each row the surface is what a session would begin with at that moment.
 */
import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { openWorld } from "../../src/app/compose.ts";
import { extract } from "../../src/engine/capture/extract.ts";
import { surface } from "../../src/engine/context/surface.ts";
import { estimatedTarget } from "../../src/logic/context/choose-lines.ts";
import { FRAME, lineOf } from "../../src/logic/context/render-surface.ts";
import { estimatedTokens } from "../../src/logic/text/estimated-tokens.ts";
import { CATEGORY_OF_TYPE } from "../../src/model/context/surface.ts";
import type { World } from "../../src/ports/world.ts";
import type { GoldItem } from "./metric.ts";
import type { Row } from "./rows.ts";

const STRETCHES = 3;

/** What somebody who begins here should know, and the lines that tell them, by the way they were chosen. */
export interface Moment {
  id: string;
  gold: GoldItem[];
  lines: Record<"surface" | "newest" | "everything", string[]>;
  tokens: number;
  memories: number;
}

interface TimedRow extends Row {
  lines: string[];
  endsAt: number;
}

export async function momentsOf(rows: readonly Row[], corpus: string): Promise<Moment[]> {
  const folder = mkdtempSync(join(tmpdir(), "stele-bench-surface-"));
  const clock = { time: 0, now: () => clock.time };
  const project = join(folder, "project");
  mkdirSync(project);
  const settings = { embedder: { provider: "none" }, remember: { compareMs: 60_000 } };
  const opened = await openWorld({ host: "library", home: join(folder, "home"), project, clock, settings });
  try {
    const timed = rows.map((row) => timedRow(row, corpus)).sort((one, two) => one.endsAt - two.endsAt);
    const moments: Moment[] = [];
    const read = new Map<string, number>();
    for (const [index, row] of timed.entries()) {
      clock.time = row.endsAt + 60_000;
      const path = join(folder, basename(row.transcript));
      const from = read.get(path) ?? 0;
      if (row.toLine > from) appendFileSync(path, row.lines.slice(from, row.toLine).map((line) => `${line}\n`).join("")); // prettier-ignore
      read.set(path, Math.max(from, row.toLine));
      await extract({ path, isEnded: true }, opened.world);
      if (index < STRETCHES - 1) continue;
      const gold = timed.slice(index + 1 - STRETCHES, index + 1).flatMap((one) => one.gold);
      moments.push({ id: row.id, gold, ...(await linesNow(opened.world)) });
    }
    return moments;
  } finally {
    await opened.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function timedRow(row: Row, corpus: string): TimedRow {
  const lines = readFileSync(join(corpus, row.transcript), "utf8").split("\n");
  const stamps = lines.slice(0, row.toLine).flatMap((line) => /"timestamp":"([^"]+)"/.exec(line)?.[1] ?? []);
  return { ...row, lines, endsAt: Math.max(...stamps.map((stamp) => Date.parse(stamp))) };
}

/** Without handle and date, which tell nothing of the work. */
const saidIn = (line: string): string => line.replace(/^- \S+ [^:]+: (?:proposed[a-zA-Z ]*, not ratified: )?/, "");

async function linesNow(world: World): Promise<Omit<Moment, "id" | "gold">> {
  // The files that they name are elsewhere, which must not be taken for their loss.
  const look = async () => ({ kind: "other" as const, bytes: 0, modifiedAt: 0 });
  const { text, tokens } = await surface({ ...world, files: { ...world.files, look } }, { fresh: true });
  const newest = await world.project.items("memory", await world.project.newestIds("memory", 1_000));
  const told = newest
    .filter(({ type, status }) => type in CATEGORY_OF_TYPE && status === "active")
    .sort((one, two) => two.createdAt - one.createdAt);
  const { hardTokens, lineCharacters: characters } = world.settings.surface;
  const target = estimatedTarget(world.settings.surface);
  const chosen: string[] = [];
  let used = FRAME.frameTokens;
  for (const item of told) {
    const line = lineOf(
      { item, shelf: "memory", stale: null },
      { now: world.clock.now(), zone: world.zone, characters },
    );
    const cost = estimatedTokens(`${line}\n`);
    if (used >= target || used + cost > hardTokens) continue;
    chosen.push(line);
    used += cost;
  }
  const own = text.split("\n").filter((line) => line.startsWith("- "));
  return {
    lines: { surface: own.map(saidIn), newest: chosen.map(saidIn), everything: told.map(({ content }) => content) },
    ...{ tokens, memories: told.length },
  };
}
