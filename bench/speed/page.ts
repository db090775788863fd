/**
 * The page: what it weighs, how soon the first view is there, and how the graph moves.
 *
 * In a real browser on this machine; without one, only the weight. The first view counts from the click on the link to
 * the first row, in a store that was filled before and a server that has just started.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Browser, chromium } from "playwright-core";
import { bundlePage } from "../../scripts/bundle-page.ts";
import { openWorld } from "../../src/app/compose.ts";
import { catalog, DEFAULT_TOOLS } from "../../src/catalog/catalog.ts";
import { type Served, serveHttp } from "../../src/http/serve.ts";
import { open } from "../../src/index.ts";
import { systemClock } from "../../src/machine/clock.ts";
import { seeded } from "./corpus.ts";
import { entries } from "./party.ts";
import { type Row, spread } from "./result.ts";

const MEMORIES = 100_000;
const NODES = 5_000;
const BATCH = 500;
const VISITS = 7;
const BROWSER = "/usr/bin/chromium";
const ROW = { part: "page", who: "stele" } as const;
const settings = { embedder: { provider: "hash" } } as const;

export async function measurePage(folder: string): Promise<Row[]> {
  const [pageFolder, home, project] = [join(folder, "web"), join(folder, "home"), join(folder, "project")];
  mkdirSync(project, { recursive: true });
  await bundlePage(pageFolder);
  const weights = weigh(pageFolder);
  if (!existsSync(BROWSER)) return weights;
  const [small, woven] = [join(folder, "small"), join(folder, "woven")];
  for (const made of [small, woven]) mkdirSync(made);
  await fill(home, small, BATCH);
  await fill(home, project, MEMORIES);
  await weave(home, woven);
  const server = await serve(home, pageFolder);
  const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  try {
    return [
      ...weights,
      await firstViews(browser, server, small, BATCH),
      await firstViews(browser, server, project, MEMORIES),
      await firstRequests(server, project),
      ...(await settleGraph(browser, server, woven)),
    ];
  } finally {
    await browser.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The files that the first view loads, and those that only the graph does. */
function weigh(folder: string): Row[] {
  const packed = (name: string) => gzipSync(readFileSync(join(folder, name))).length / 1_000_000;
  const needed = ["index.html", "icon.svg", "page.css", "page.js"];
  const all = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => /\.\w+$/.test(name));
  const sum = (names: readonly string[]) => names.reduce((total, name) => total + packed(name), 0);
  return [
    { ...ROW, what: "page without the graph, gzipped", size: null, value: sum(needed), unit: "MB" },
    { ...ROW, what: "the graph, gzipped", size: null, value: sum(all) - sum(needed), unit: "MB" },
  ];
}

async function fill(home: string, project: string, count: number): Promise<void> {
  const stele = await open({ home, project, settings });
  for (let from = 0; from < count; from += BATCH) {
    const texts = await entries(from, from + BATCH);
    await Promise.all(texts.map(({ text }) => stele.remember({ content: text, compare: false })));
  }
  await stele.close();
}

/** Memories that are each related to a few others, and name files. */
async function weave(home: string, project: string): Promise<void> {
  const stele = await open({ home, project, settings });
  const random = seeded(NODES);
  const ids: string[] = [];
  const earlier = () => ids[Math.floor(random() * ids.length)]!;
  for (const { text } of await entries(0, NODES)) {
    const relates = ids.length === 0 ? [] : [...new Set([earlier(), ids.at(-1)!])];
    const files = random() < 0.3 ? [`src/part-${Math.floor(random() * 100)}.ts`] : [];
    ids.push((await stele.remember({ content: text, compare: false, relates, files })).id);
  }
  await stele.close();
}

function serve(home: string, pageFolder: string): Promise<Served> {
  const about = { catalog, version: "1" };
  return serveHttp({
    ...about,
    clock: systemClock,
    token: "a-token-of-programs",
    host: "127.0.0.1",
    port: 0,
    pageFolder,
    open: (project) => openWorld({ host: "http", project, home, settings }),
    spaces: async () => [],
    examine: async () => [],
    mcp: { ...about, tools: "default", defaultTools: DEFAULT_TOOLS },
  });
}

const addressOf = (server: Served, project: string): string =>
  `${server.url}#${new URLSearchParams({ code: server.issueCode(), project })}`;

async function firstViews(browser: Browser, server: Served, project: string, size: number): Promise<Row> {
  const times: number[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const page = await browser.newPage();
    const address = addressOf(server, project);
    const started = performance.now();
    await page.goto(address);
    await page.locator(".row").first().waitFor();
    times.push(performance.now() - started);
    await page.close();
  }
  return { ...ROW, what: "first view of the page", size, ...spread(times) };
}

/** What the requests of the first view cost the server, one after the other: the other rows also measure a browser. */
async function firstRequests(server: Served, project: string): Promise<Row> {
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  const body = JSON.stringify({ code: server.issueCode() });
  const { token } = (await (await fetch(`${server.url}person/tokens`, { ...post, body })).json()) as { token: string };
  const headers = { ...post.headers, authorization: `Bearer ${token}`, "stele-project": encodeURIComponent(project) };
  const ask = async (verb: string, input: object) => {
    const answer = await fetch(`${server.url}v1/${verb}`, { ...post, headers, body: JSON.stringify(input) });
    await answer.arrayBuffer();
  };
  const times: number[] = [];
  for (let visit = 0; visit < VISITS; visit += 1) {
    const before = process.cpuUsage();
    await ask("list", { shelf: ["memory", "decision", "proposal"], limit: 30, countMost: 1_001 });
    await ask("proposals", { limit: 1 });
    const { user, system } = process.cpuUsage(before);
    times.push((user + system) / 1_000);
  }
  return { ...ROW, what: "processor time of the server for the first view", size: MEMORIES, ...spread(times) };
}

const WATCHED_MS = 8_000;

/** While the graph finds its places and is drawn: how long the page is busy, and how long a timer or a key waits. */
async function settleGraph(browser: Browser, server: Served, project: string): Promise<Row[]> {
  const page = await browser.newPage();
  await page.goto(addressOf(server, project));
  await page.locator(".row").first().waitFor();
  await page.evaluate(`
    globalThis.seen = { tasks: [], keys: [], waits: [], last: performance.now() };
    const note = (list) => (found) => { for (const { duration } of found.getEntries()) list.push(duration); };
    new PerformanceObserver(note(seen.tasks)).observe({ type: "longtask" });
    new PerformanceObserver(note(seen.keys)).observe({ type: "event", durationThreshold: 16 });
    setInterval(() => {
      const now = performance.now();
      seen.waits.push(Math.max(0, now - seen.last - 20));
      seen.last = now;
    }, 20);
    location.hash = "#/graph";
  `);
  await page.locator("#graph-search").focus();
  const until = performance.now() + WATCHED_MS;
  while (performance.now() < until) {
    await page.keyboard.press("e");
    await page.keyboard.press("Backspace");
    await page.waitForTimeout(200);
  }
  await page.locator(".drawing[data-state=settled]").waitFor();
  const { tasks, keys, waits } = await page.evaluate<Record<"tasks" | "keys" | "waits", number[]>>("seen");
  await page.close();
  const row = (what: string, times: readonly number[]): Row => ({
    ...ROW,
    what,
    size: NODES,
    ...spread([0, ...times]),
  });
  return [
    {
      ...ROW,
      what: "all tasks that block the page, while the graph settles",
      size: NODES,
      unit: "ms",
      value: tasks.reduce((sum, ms) => sum + ms, 0),
    },
    row("a task that blocks the page, while the graph settles", tasks),
    row("a timer waits, while the graph settles", waits),
    row("a key waits, while the graph settles", keys),
  ];
}
