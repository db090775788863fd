/**
 * The page: what it weighs, how soon the first view is there, and how the graph moves.
 *
 * In a real browser on this machine; without one, only the weight. The first view counts from the click on the link to
 * the first row, in a store that was filled before and a server that has just started.
 */
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type Browser, chromium } from "playwright-core";
import { bundlePage } from "../../scripts/bundle-page.ts";
import { openWorld } from "../../src/app/compose.ts";
import { type Served, serveHttp } from "../../src/hosts/http/serve.ts";
import { catalog, DEFAULT_TOOLS } from "../../src/operations/catalog.ts";
import { systemClock } from "../../src/providers/clock.ts";
import { open } from "../../src/index.ts";
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
  const small = join(folder, "small");
  mkdirSync(small);
  await fill(home, small, BATCH);
  await fill(home, project, MEMORIES);
  const server = await serve(home, pageFolder);
  const browser = await chromium.launch({ executablePath: BROWSER, args: ["--no-sandbox"] });
  try {
    return [
      ...weights,
      await firstViews(browser, server, small, BATCH),
      await firstViews(browser, server, project, MEMORIES),
      await graphFrames(browser, server, project),
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

function serve(home: string, pageFolder: string): Promise<Served> {
  const about = { catalog, version: "1" };
  return serveHttp({
    ...{ ...about, clock: systemClock, token: "a-token-of-programs", host: "127.0.0.1", port: 0, pageFolder },
    open: (project) => openWorld({ host: "http", project, home, settings }),
    ...{ spaces: async () => [], examine: async () => [] },
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

/** The time between two frames while the nodes move. */
async function graphFrames(browser: Browser, server: Served, project: string): Promise<Row> {
  const page = await browser.newPage();
  await page.goto(addressOf(server, project));
  await page.locator("nav").waitFor();
  await page.evaluate(`void (location.hash = "#/graph")`);
  await page.locator(".drawing canvas").first().waitFor({ state: "attached" });
  const times = await page.evaluate<number[]>(`new Promise((resolve) => {
    const times = [];
    let last = performance.now();
    const frame = (now) => {
      times.push(now - last);
      last = now;
      if (times.length < 120) requestAnimationFrame(frame);
      else resolve(times.slice(1));
    };
    requestAnimationFrame(frame);
  })`);
  await page.close();
  return { ...ROW, what: "a frame of the moving graph", size: NODES, ...spread(times) };
}
