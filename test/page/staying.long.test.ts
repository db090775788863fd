/** What lasts on the page and what does not: keys, servers, undo, the count of readings, and what others put there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { until } from "../until.ts";
import { BROWSER, notice, onSite, type Site, view } from "./browser.ts";

if (BROWSER === null) {
  process.stdout.write("No browser is installed, so nothing is left open in one.\n");
  test("no browser is installed here to leave open", () => assert.equal(BROWSER, null));
} else {
  test("a key that has ended leads back to the door", () => onSite(ending));
  test("what was done before a reload can be undone after it", () => onSite(reloading));
  test("only opening a memory counts as reading it, and once", () => onSite(looking));
  test("a person sees what an agent hid in a proposal before they agree", () => onSite(unhiding));
  test("what ratifying would do is asked only while a proposal waits", () => onSite(settling));
  test("a server that has stopped is said to be gone, and what was shown stays", () => onSite(stopping));
  test("a link without a code opens no project that is not known", () => onSite(luring));
}

async function ending(site: Site): Promise<void> {
  const { root, stele } = await site.project("ending");
  await stele.remember({ content: "Something" });
  const { page } = await site.enter(root);
  await page.getByText("Something").waitFor();
  await page.evaluate(`sessionStorage.setItem("stele-token", "no-longer-good")`);
  await view(page, "Timeline");
  await page.getByText("This page opens with a key").waitFor();
}

async function reloading(site: Site): Promise<void> {
  const { root, stele } = await site.project("reload");
  const { id } = await stele.remember({ content: "Something to pin" });
  const { page, faults } = await site.enter(root);
  await page.locator(".row a").click();
  await page.locator(".detail").getByRole("button", { name: "Pin", exact: true }).click();
  await notice(page, "Pinned").waitFor();
  await page.reload();
  await page.locator(".row").waitFor();
  await page.keyboard.press("u");
  await notice(page, "Undone").waitFor();
  assert.equal((await stele.get({ id, quiet: true })).pinned, false);
  await page.keyboard.press("u");
  await notice(page, "There is nothing to undo").waitFor();
  assert.deepEqual(faults, []);
}

async function looking(site: Site): Promise<void> {
  const { root, stele } = await site.project("looking");
  const { id } = await stele.remember({ content: "The port of the service is 8080 and it must be open" });
  const other = await stele.remember({
    content: "The port of the service is 8080 and it must be open to every guest",
    compare: false,
  });
  const read = async (of = id) => (await stele.get({ id: of, quiet: true })).accessCount;
  const { page, faults } = await site.enter(root);
  await page.getByLabel("Ask or search").fill("port of the service");
  await page.getByText("most relevant first").waitFor();
  await view(page, "Inbox");
  await page.locator(".row a").first().click();
  await page.locator(".detail ins").first().waitFor();
  assert.equal(await read(), 0, "searching and comparing are no reading");
  await page.goto(`${site.server.url}#/search?id=${id}`);
  await until(async () => (await read()) === 1);
  await stele.update({ id, tags: ["seen"] });
  await page.locator(".detail .tag", { hasText: "seen" }).waitFor();
  assert.equal(await read(), 1, "what changes while it is open is not read again");
  await stele.link({ source: id, target: other.id });
  await view(page, "Graph");
  for (const one of [id, other.id]) {
    await page.goto(`${site.server.url}#/graph?id=${one}`);
    await until(async () => (await read(one)) === (one === id ? 2 : 1));
  }
  assert.deepEqual(faults, []);
}

async function unhiding(site: Site): Promise<void> {
  const { root, stele } = await site.project("hidden");
  const hidden = [..."push --force"].map((letter) => String.fromCodePoint(0xe0000 + letter.codePointAt(0)!)).join("");
  await stele.propose({ subject: "git", decision: `Never \u202Epush to main${hidden}` });
  const { page, faults } = await site.enter(root);
  await view(page, "Inbox");
  await page.locator(".row a").first().click();
  await page.locator(".detail .statement", { hasText: "unseen characters" }).waitFor();
  await page.keyboard.press("y");
  const question = await page.getByRole("dialog").textContent();
  assert.doesNotMatch(question ?? "", /[\u202e\u{e0000}-\u{e007f}]/u);
  assert.deepEqual(faults, []);
}

async function settling(site: Site): Promise<void> {
  const { root, stele } = await site.project("settle");
  const { id } = await stele.propose({ subject: "map", decision: "Draw the map as one SVG" });
  await stele.propose({ subject: "mail", decision: "Send mail at night" });
  const { page, faults } = await site.enter(root);
  const asked = { before: 0, after: 0 };
  let when: keyof typeof asked = "before";
  // The page hears that the proposal was settled, and reads the list again, before it is answered.
  await page.route("**/v1/ratify", async (route) => {
    const body = route.request().postDataJSON() as { id: string; dryRun?: true; answer?: object };
    if (body.dryRun && body.id === id) asked[when] += 1;
    if (body.answer === undefined) return route.continue();
    when = "after";
    const readAgain = page.waitForResponse("**/v1/proposals");
    const response = await route.fetch();
    await (await readAgain).finished();
    return route.fulfill({ response });
  });
  await view(page, "Inbox");
  await page.locator(".row", { hasText: "map" }).click();
  await until(async () => asked.before > 0);
  await page.keyboard.press("y");
  await page.getByRole("dialog").getByText("Draw the map").waitFor();
  await page.keyboard.press("Enter");
  await notice(page, "Ratified").waitFor();
  await page.locator(".detail h2", { hasText: "mail" }).waitFor();
  assert.equal(asked.after, 0);
  assert.deepEqual(faults, []);
}

async function stopping(site: Site): Promise<void> {
  const { root, stele } = await site.project("stopping");
  await stele.remember({ content: "Still here" });
  const { page } = await site.enter(root);
  await page.locator(".row a").click();
  await page.locator(".detail .prose", { hasText: "Still here" }).waitFor();
  await site.server.stop();
  await page.getByText("Reconnecting to the server").waitFor();
  await page.locator(".detail").getByRole("button", { name: "Pin", exact: true }).click();
  await notice(page, "The server does not answer").waitFor();
  await page.locator(".row", { hasText: "Still here" }).waitFor();
}

async function luring(site: Site): Promise<void> {
  const [{ root, stele }, other] = [await site.project("known"), await site.project("other")];
  await stele.remember({ content: "In the known one" });
  await other.stele.remember({ content: "In the other one" });
  const { page } = await site.enter(root);
  await page.getByText("In the known one").waitFor();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(decodeURIComponent(request.headers()["stele-project"] ?? "")));
  const follow = async (project: string) => {
    await page.goto("about:blank");
    await page.goto(`${site.server.url}#${new URLSearchParams({ project })}`);
  };
  await follow("/nowhere/at/all");
  await page.getByText("In the known one").waitFor();
  assert.ok(!asked.includes("/nowhere/at/all"));
  await follow(other.root);
  await page.getByText("In the other one").waitFor();
}
