/**
 * The demo: what Stele mainly does, on a made-up project.
 *
 * Everything runs through the public library, in a temporary home that is removed at the
 * end. No output is faked: every answer comes from the store. Without the model it says so
 * and continues with keywords.
 */
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { styleText } from "node:util";
import { Failure, toFailure } from "../errors.ts";
import { type Hit, open, type Stele } from "../index.ts";
import { createZone } from "../machine/clock.ts";
import { dayIn } from "../time/shown.ts";

interface DemoIo {
  stdout: NodeJS.WritableStream;
  stderr: NodeJS.WritableStream;
}

type Style = "bold" | "cyan" | "dim" | "green";
type Note = Parameters<Stele["remember"]>[0];

interface Page {
  heading(text: string): Promise<void>;
  line(text?: string): Promise<void>;
  paint(style: Style, text: string): string;
}

/** Below this relevance a hit is a guess; agents are told the same number. */
const GUESS_BELOW = 0.35;
/** As wide as a handle, a type and a scope. */
const MARGIN = " ".repeat(31);
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const INTERRUPTED = 130;
const BIN = fileURLToPath(new URL("../../bin/stele.js", import.meta.url));

// Assembled at run time, so that no scanner takes this file for a leak. The token is not valid anywhere.
const FAKE_TOKEN = `ghp_${createHash("sha256").update("made up").digest("hex").slice(0, 36)}`;

const NOTES: readonly Note[] = [
  { type: "preference", content: "The user prefers dark mode." },
  { type: "gotcha", content: "The staging database rejects connections unless the VPN is up." },
  { type: "bug_fix", content: "Tide times were an hour late in summer: the parser dropped the time zone." },
  { type: "convention", content: "Money is stored as whole cents, never as floats." },
  { type: "fact", content: "getUserById caches for five minutes; call invalidateUser after a write." },
  { type: "documentation", content: "发布之前必须先在预发布环境运行数据库迁移。" },
  { type: "fact", content: `The release job signs in with GITHUB_TOKEN=${FAKE_TOKEN} on the build machine.` },
  { type: "fact", content: "Production runs on Postgres 15." },
];

const QUESTIONS: readonly [query: string, remark: string][] = [
  ["dark theme", "another word, the same meaning"],
  ["why can't I reach the test server", "no keyword in common"],
  ["user by id", "the parts of an identifier"],
  ["预发布环境", "Chinese needs no spaces"],
];

/** Runs the demo and returns the exit code. */
export async function runDemo(io: DemoIo): Promise<number> {
  const page = pageOn(io.stdout);
  const folder = await mkdtemp(join(tmpdir(), "stele-demo-"));
  try {
    return await untilInterrupted(show(folder, page).then(() => 0));
  } catch (thrown) {
    const { message, hint } = toFailure(thrown);
    await write(io.stderr, `stele: ${message}\n${hint}\n`);
    return 1;
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function show(folder: string, page: Page): Promise<void> {
  const project = join(folder, "harbour");
  await mkdir(project);
  // The demo reports a missing model itself; a first start may take longer than a recall normally waits.
  const settings = { log: { level: "silent" }, recall: { modelWaitMs: 20_000 } };
  const stele = await open({ home: join(folder, "home"), project, settings });
  try {
    await page.line(page.paint("bold", "Stele: the memory of AI coding agents, on a made-up project."));
    await showRemembering(stele, page);
    await showRecall(stele, page);
    await showSupersession(stele, page);
    await showNonsense(stele, page);
  } finally {
    await stele.close();
  }
  await showConnecting(page);
}

async function showRemembering(stele: Stele, page: Page): Promise<void> {
  await page.heading("Remember: eight things, each with its scope and the reason");
  for (const note of NOTES) {
    const { type, scope, handle, reason, redactions } = await stele.remember(note);
    const { content } = await stele.get({ id: handle });
    await page.line(`  ${handle}  ${type.padEnd(13)} ${scope.padEnd(7)} ${content}`);
    await page.line(page.paint("dim", `  ${MARGIN} ${reason}`));
    for (const { rule, count } of redactions) {
      await page.line(`  ${MARGIN} ${page.paint("green", `removed before storing: ${rule} × ${count}`)}`);
    }
  }
  const again = await stele.remember(NOTES[0]!);
  await page.line(`  The first one again: ${again.status}, kept only once.`);
}

async function showRecall(stele: Stele, page: Page): Promise<void> {
  await page.heading("Recall: by meaning and by words, with the reasons");
  const missing = await modelFault(stele);
  if (missing) await page.line(`  The model cannot be loaded, so only keywords are used. ${missing}`);
  for (const [query, remark] of QUESTIONS) {
    const { hits } = await stele.recall({ query, limit: 1 });
    await page.line(`  ${page.paint("cyan", `? ${query}`)}${page.paint("dim", `   ${remark}`)}`);
    const [hit] = hits;
    if (hit) await showHit(hit, page);
    else await page.line("    Nothing found.");
  }
}

async function showSupersession(stele: Stele, page: Page): Promise<void> {
  await page.heading("Replace: outdated facts become history");
  const query = "which Postgres version is in production";
  const [old] = (await stele.recall({ query, limit: 1 })).hits;
  if (!old) throw new Failure("internal", "The demo cannot find what it remembered.", "Run `npm test`.");
  const { status } = await stele.update({ id: old.handle, content: "Production runs on Postgres 16." });
  await page.line(
    `  update ${old.handle}, "${old.content}", with 16 instead of 15: ${status}, because a number changed.`,
  );
  await page.line(`  ${page.paint("cyan", `? ${query}`)}`);
  const [now] = (await stele.recall({ query, limit: 1 })).hits;
  if (!now) return;
  await showHit(now, page);
  for (const past of now.history) {
    await page.line(
      `      history: "${past.content}" held until ${past.validUntil ? dayIn(past.validUntil, createZone(undefined)) : "now"}`,
    );
  }
}

async function showNonsense(stele: Stele, page: Page): Promise<void> {
  await page.heading("Nonsense: relevance is absolute, so poor matches are recognisable");
  const query = "purple accordion parliament";
  const { hits } = await stele.recall({ query, threshold: GUESS_BELOW });
  const [guess] = (await stele.recall({ query, limit: 1 })).hits;
  await page.line(`  ${page.paint("cyan", `? ${query}`)}`);
  await page.line(`    ${hits.length} hits with a relevance of ${percent(GUESS_BELOW)} or more.`);
  if (guess) await page.line(`    The best guess has ${percent(guess.relevance)}: "${guess.content}"`);
}

async function showConnecting(page: Page): Promise<void> {
  await page.heading("Connect a host");
  await page.line(`  all found     node ${quoted(BIN)} init`);
  await page.line(`  one           node ${quoted(BIN)} init claude-code`);
  await page.line(`  by hand       command "node", arguments ${JSON.stringify([BIN, "mcp"])}`);
  await page.line(`  terminal      node ${quoted(BIN)} --help`);
  await page.line();
  await page.line(page.paint("dim", "The demo's temporary project has been removed."));
}

async function showHit({ handle, content, relevance, why }: Hit, page: Page): Promise<void> {
  const shares = Object.entries(why).map(([ranker, share]) => `${ranker} ${percent(share)}`);
  await page.line(`    ${handle}  ${content}`);
  await page.line(page.paint("dim", `      relevance ${percent(relevance)}; found by ${shares.join(", ")}`));
}

/** Embeds everything now, so that every question searches all of it. Returns why that failed, or null. */
async function modelFault(stele: Stele): Promise<string | null> {
  try {
    await stele.backfill({});
    return null;
  } catch (thrown) {
    const { code, message, hint } = toFailure(thrown);
    if (code !== "unavailable") throw thrown;
    return `${message} ${hint}`;
  }
}

/** A signal ends the demo early but still lets the caller clean up. */
async function untilInterrupted(work: Promise<number>): Promise<number> {
  const { promise: interruption, resolve } = Promise.withResolvers<number>();
  const interrupt = () => resolve(INTERRUPTED);
  for (const signal of SIGNALS) process.once(signal, interrupt);
  try {
    return await Promise.race([work, interruption]);
  } finally {
    for (const signal of SIGNALS) process.removeListener(signal, interrupt);
    // After an interruption nobody awaits the rest, so its failure must not become an unhandled rejection.
    work.catch(() => null);
  }
}

function pageOn(stream: NodeJS.WritableStream): Page {
  const paint = (style: Style, text: string) => styleText(style, text, { stream, validateStream: true });
  const line = (text = "") => write(stream, `${text}\n`);
  return { line, paint, heading: (text) => line(`\n${paint("bold", text)}`) };
}

function write(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve) => void stream.write(text, () => resolve()));
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

const quoted = (path: string): string => (/^[\w./:\\-]+$/.test(path) ? path : `"${path}"`);
