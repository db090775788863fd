/** Text that wants to be more than text, in every field and every view; and what checkers of accessibility find. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { tellStory } from "../../src/demo/page.ts";
import type { Stele } from "../../src/library.ts";
import { inLane } from "../lane.ts";
import { BROWSER, onSite, type Site } from "./browser.ts";

if (BROWSER === null) {
  process.stdout.write("No browser is installed, so the page is not checked in one.\n");
  test("no browser is installed here to check the page in", () => assert.equal(BROWSER, null));
} else {
  test("nothing comes of script, huge texts, letters that turn around, broken emoji and strange signs", () =>
    onSite(hostile));
  test("no view has a fault that axe finds, light or dark, wide or narrow", () => onSite(accessible));
}

const SCRIPT = `<img src=x onerror="window.harmed=1"><script>window.harmed=1</script>`;
const TEXTS = [
  `${SCRIPT}" onmouseover="window.harmed=1" javascript:window.harmed=1 \${window.harmed=1} {{7*7}}`,
  `${SCRIPT} ${"word ".repeat(inLane({ fast: 0, long: 2_000, soak: 10_000 }))}`,
  `\u202Eevil\u202C \u2066isolated\u2069 שלום \u200Fمرحبا abc 👩‍👩‍👧‍👦 🏳️‍🌈 Z͑ͫ̓a̴͝l͜g̸o e\u0301 \u{10FFFF} ${SCRIPT}`,
];

/** The text in every field that it fits. */
async function fill(stele: Stele, text: string, mark: string): Promise<void> {
  const line = `${mark} ${text.slice(0, 150)}`.replace(/\s+/g, " ").trim();
  const long = `${mark} ${text}`;
  const { id } = await stele.log({ text: `User: ${long}`, title: line, session: `${mark} ${line}`.slice(0, 190) });
  const fields = {
    title: line,
    background: `${mark} ${text.slice(0, 1_900)}`,
    tags: [line.slice(0, 95)],
    files: [line],
    compare: false,
  };
  const session = line.slice(0, 190);
  await stele.remember({ content: long, ...fields, session });
  await stele.remember({ content: `${long} again`, ...fields });
  const decided = await stele.propose({ subject: line, decision: `${mark} always ${text.slice(0, 4_000)}` });
  await stele.ratify({ id: decided.id });
  const rationale = text.slice(0, 3_000);
  await stele.propose({
    subject: line,
    decision: `${mark} never ${text.slice(0, 4_000)}`,
    rationale,
    rejected: [line],
    evidence: [id],
  });
  await stele.observe({ event: "error_occurred", content: line, context: line });
  const [first] = (await stele.list({})).items;
  await stele.update({ id: first!.id, title: line, tags: [line.slice(0, 95), mark] });
}

const VIEWS = ["search", "inbox", "timeline", "timeline?show=changes", "graph", "project"];
const waitForView = (page: Page) => page.locator("main .loading").first().waitFor({ state: "detached" });

async function hostile(site: Site): Promise<void> {
  const { root, stele } = await site.project(`hostile <b>&"'`);
  for (const text of TEXTS) await fill(stele, text, "markword");
  const { page, faults } = await site.enter(root);
  for (const view of [...VIEWS, "search?q=markword", "search?q=markword&shelf=evidence"]) {
    // From the beginning, so that nothing of the view before is taken for this one.
    await page.goto("about:blank");
    await page.goto(`${site.server.url}#/${view}`);
    if (view === "graph") await page.getByLabel("Find a node").fill("markword");
    await page.getByText("markword").first().waitFor({ state: "attached" });
    await waitForView(page);
    for (const row of await page.locator(".rows .row a").all()) {
      await row.click();
      await page.locator(".detail :text('markword')").first().waitFor();
    }
    for (const summary of await page.locator("summary").all()) await summary.click();
    assert.equal(await page.locator("#app img, #app script, #app b img").count(), 0, "markup came of text");
  }
  assert.equal(await page.evaluate(() => (globalThis as { harmed?: number }).harmed), undefined);
  assert.deepEqual(faults, []);
  const width = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
  assert.ok(width <= 0, `the page is ${width} pixels too wide`);
}

/** Contrast follows from the colours and the order of things from the width; what is there at one width only is looked at in the soak lane. */
const LOOKS = [
  ["light", 1_280],
  ["dark", 390],
  ...inLane({ fast: [], long: [], soak: [["light", 390] as const, ["dark", 1_280] as const] }),
] as const;
const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

async function accessible(site: Site): Promise<void> {
  const { root } = await site.project("story");
  await tellStory({ home: site.home, project: root, now: Date.now() });
  for (const [colorScheme, width] of LOOKS) {
    const viewport = { width, height: 844 };
    const { page, faults } = await site.enter(root, { colorScheme, viewport, bypassCSP: true });
    await page.addScriptTag({ content: AXE });
    for (const view of [...VIEWS, "search?q=deploy", "timeline?show="]) {
      await page.evaluate(`void (location.hash = ${JSON.stringify(`#/${view}`)})`);
      await page.locator("main h1").waitFor({ state: "attached" });
      await waitForView(page);
      const row = page.locator(".rows .row a").first();
      if ((await row.count()) > 0) await row.click();
      assert.deepEqual(await violations(page), [], `${view}, ${colorScheme}, ${width} wide`);
    }
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    assert.deepEqual(await violations(page), [], "the keys");
    assert.deepEqual(faults, []);
  }
  const page = await (await site.browser.newContext({ bypassCSP: true })).newPage();
  await page.goto(site.server.url);
  await page.getByText("stele open").waitFor();
  await page.addScriptTag({ content: AXE });
  assert.deepEqual(await violations(page), [], "the door");
}

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

const violations = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(): Promise<{ violations: Violation[] }> } };
    const found = (await axe.run()).violations;
    return found.map(({ id, nodes }) => `${id}: ${nodes[0]?.html.slice(0, 160)} ${nodes[0]?.failureSummary}`);
  });
