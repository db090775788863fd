/**
 * The page in a real browser: one browser for all tests of a run, a data folder and a server for each test.
 *
 * The page is built from the sources as they are, so that no build that lies around is tested instead.
 */
import { existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { type Browser, chromium, type Locator, type Page } from "playwright-core";
import { bundlePage } from "../../scripts/bundle-page.ts";
import { openDoctor } from "../../src/app/compose-doctor.ts";
import { openWorld } from "../../src/app/compose.ts";
import { catalog, DEFAULT_TOOLS } from "../../src/catalog/catalog.ts";
import { type Served, serveHttp } from "../../src/http/serve.ts";
import { openLibrary, type Stele } from "../../src/library.ts";
import { systemClock } from "../../src/machine/clock.ts";
import { openSqliteStore } from "../../src/store/sqlite/store.ts";

/** Where browsers of this kind usually are. */
const PLACES = [
  ...["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome", "/usr/bin/google-chrome-stable"],
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];
/** Null if none is installed. */
export const BROWSER: string | null = PLACES.find((path) => existsSync(path)) ?? null;

const settings = { embedder: { provider: "hash" }, log: { level: "silent" } } as const;

/** A data folder with its server, for one test. */
export interface Site {
  readonly folder: string;
  readonly home: string;
  readonly server: Served;
  readonly browser: Browser;
  /** A project, and its memory as another process has it. */
  project(name: string): Promise<{ root: string; stele: Stele }>;
  /** The page, entered; faults are what the console complained of. */
  enter(root: string, options?: Parameters<Browser["newContext"]>[0]): Promise<Visit>;
}

export interface Visit {
  readonly page: Page;
  readonly faults: string[];
}

export const notice = (page: Page, text: string | RegExp): Locator => page.locator(".notice", { hasText: text });
export const view = (page: Page, name: string): Promise<void> => page.getByRole("navigation").getByText(name).click();
export const button = (page: Page, name: string | RegExp): Locator => page.getByRole("button", { name });

interface Shared {
  readonly browser: Browser;
  readonly pageFolder: string;
}

let shared: Promise<Shared> | null = null;

/** One browser and one build of the page for all tests of a run. */
async function share(): Promise<Shared> {
  const pageFolder = mkdtempSync(join(tmpdir(), "stele-web-"));
  await bundlePage(pageFolder);
  const args = ["--no-sandbox", "--disable-dev-shm-usage"];
  const browser = await chromium.launch({ executablePath: BROWSER!, args });
  return { browser, pageFolder };
}

after(async () => {
  const made = await shared;
  await made?.browser.close();
  if (made) rmSync(made.pageFolder, { recursive: true, force: true, maxRetries: 3 });
});

export async function onSite(visit: (site: Site) => Promise<void>): Promise<void> {
  const { browser, pageFolder } = await (shared ??= share());
  const folder = mkdtempSync(join(tmpdir(), "stele-page-"));
  const home = join(folder, "home");
  const server = await serve(home, pageFolder);
  const opened: Stele[] = [];
  try {
    await visit({
      folder,
      home,
      server,
      browser,
      async project(name) {
        const root = join(folder, name);
        mkdirSync(root, { recursive: true });
        const ask = async () => ({ action: "accept", values: { ratify: true } }) as const;
        const stele = await openLibrary({ home, project: root, settings, host: "cli", ask });
        opened.push(stele);
        return { root, stele };
      },
      enter: (root, options = {}) => enter(server, browser, root, options),
    });
  } finally {
    for (const context of browser.contexts()) await context.close();
    for (const stele of opened) await stele.close();
    await server.stop();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

async function enter(server: Served, browser: Browser, root: string, options: object): Promise<Visit> {
  const context = await browser.newContext({ locale: "en-GB", timezoneId: "UTC", reducedMotion: "reduce", ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("dialog", (dialog) => (faults.push(`dialog: ${dialog.message()}`), void dialog.dismiss()));
  page.on("console", (said) => {
    // A question is no fault, though a browser calls every such answer one; WebGL warns of slow drivers.
    if (said.type() === "error" && !/status of (428|401)/.test(said.text())) faults.push(said.text());
  });
  const terms = new URLSearchParams({ code: server.issueCode(), project: root });
  await page.goto(`${server.url}#${terms}`);
  await page.locator("nav").waitFor();
  return { page, faults };
}

function serve(home: string, pageFolder: string): Promise<Served> {
  const about = { catalog, version: "1" };
  return serveHttp({
    ...about,
    clock: systemClock,
    token: "the-token-of-programs",
    host: "127.0.0.1",
    port: 0,
    pageFolder,
    open: (project) => openWorld({ host: "http", project, home, settings }),
    examine: async (project) => (await openDoctor({ project, home })).examine(),
    async spaces() {
      const store = await openSqliteStore({ path: join(home, "global.db"), kind: "global", clock: systemClock });
      return store.spaces().finally(() => store.close());
    },
    mcp: { ...about, tools: "default", defaultTools: DEFAULT_TOOLS },
  });
}
