/**
 * Pictures of every view of the page, light and dark, for the documents: `npm run screenshots`.
 *
 * They show the store of `stele demo --page`, in a browser that is installed here. Dates in it are relative to today, so
 * the pictures differ a little each time; commit them only when the page has changed.
 */
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { startServer } from "../src/app/compose-serve.ts";
import { nameHome } from "../src/app/environment.ts";
import { tellStory } from "../src/demo/page.ts";
import { pageAddress } from "../src/http/page-files.ts";
import { serveFlags } from "../src/http/serve-flags.ts";
import { servePlace } from "../src/http/serve-place.ts";
import { bundlePage } from "./bundle-page.ts";

const OUT = fileURLToPath(new URL("../docs/page/", import.meta.url));
const BUILT = fileURLToPath(new URL("../dist/page", import.meta.url));
const EXECUTABLE = process.argv[2] ?? "/usr/bin/chromium";

interface Picture {
  name: string;
  view: string;
  /** What to do before it is taken. */
  prepare?(page: Page): Promise<unknown>;
}

const PICTURES: readonly Picture[] = [
  {
    name: "search",
    view: "search?q=how+do+we+deploy",
    async prepare(page) {
      await page.getByText("most relevant first").waitFor();
      await page.locator(".row a", { hasText: "both" }).click();
    },
  },
  { name: "inbox", view: "inbox", prepare: (page) => page.locator(".row a", { hasText: "map library" }).click() },
  { name: "timeline", view: "timeline", prepare: (page) => page.locator("summary").nth(1).click() },
  { name: "graph", view: "graph" },
  { name: "project", view: "project" },
];
const WIDE = { width: 1_200, height: 760 };
const NARROW = { width: 390, height: 760 };

async function take(browser: Browser, address: () => string): Promise<void> {
  for (const colorScheme of ["light", "dark"] as const)
    for (const [size, viewport] of Object.entries({ "": WIDE, "-phone": NARROW })) {
      const still = { reducedMotion: "reduce", locale: "en-GB", timezoneId: "UTC" } as const;
      const page = await browser.newPage({ colorScheme, viewport, ...still });
      await page.goto(address());
      await page.locator("nav").waitFor();
      // One picture shows a phone's width; the others would repeat it.
      for (const { name, view, prepare } of size === "" ? PICTURES : PICTURES.slice(1, 2)) {
        await page.evaluate(`void (location.hash = "#/${view}")`);
        await page.locator("main h1").waitFor({ state: "attached" });
        await prepare?.(page);
        await page.locator("main .loading").first().waitFor({ state: "detached" });
        // The graph has no other sign that it is drawn.
        await page.waitForTimeout(name === "graph" ? 4_000 : 500);
        await page.screenshot({ path: join(OUT, `${name}${size}-${colorScheme}.png`) });
      }
      await page.close();
    }
}

const folder = await mkdtemp(join(tmpdir(), "stele-pictures-"));
try {
  const [home, project] = [join(folder, "home"), join(folder, "harbour")];
  await Promise.all([mkdir(project), mkdir(OUT, { recursive: true }), bundlePage(BUILT)]);
  await tellStory({ home, project, now: Date.now() });
  nameHome(home);
  const { server, note } = (await startServer(servePlace(home), serveFlags(["--port", "0"])))!;
  const browser = await chromium.launch({ executablePath: EXECUTABLE, args: ["--no-sandbox"] });
  try {
    await take(browser, () => pageAddress(note.url, { code: server.issueCode(), project }));
  } finally {
    await browser.close();
    await server.stop();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
