/** Every flow of the page in a real browser: what a person does, and what the memory says afterwards. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { until } from "../until.ts";
import { BROWSER, button, notice, onSite, type Site, view } from "./browser.ts";

if (BROWSER === null) {
  process.stdout.write("No browser is installed, so the page is not tried in one.\n");
  test("no browser is installed here", () => assert.equal(BROWSER, null));
} else {
  test("without a key, the page tells how to get one, and shows nothing", () => onSite(locked));
  test("search, edit, undo", () => onSite(searching));
  test("pin, move to all projects and back, forget, bring back: each with undo", () => onSite(keeping));
  test("erasing asks twice, and leaves nothing", () => onSite(erasing));
  test("proposals are ratified, rejected with a reason, and edited, with the keys alone", () => onSite(deciding));
  test("near-duplicates are merged, and kept apart if one says so", () => onSite(merging));
  test("a suggested relation is accepted", () => onSite(relating));
  test("an import shows what differs, and overwrites only what one chooses", () => onSite(importing));
  test("a call is undone from the timeline, and sessions tell what they left", () => onSite(rollingBack));
  test("what another process writes appears without reload", () => onSite(living));
  test("one switches between projects and one's own space", () => onSite(switching));
  test("the graph is drawn, filtered, and a node is found by its words", () => onSite(drawing));
}

const undo = (page: Page) => page.locator(".notice button", { hasText: "Undo" }).last().click();

async function locked({ server, browser }: Site): Promise<void> {
  const page = await (await browser.newContext()).newPage();
  const answer = await page.goto(server.url);
  assert.match(answer?.headers()["content-security-policy"] ?? "", /default-src 'none'; script-src 'self'/);
  await page.getByText("stele open").waitFor();
  assert.equal(await page.locator("nav").count(), 0);
  await page.getByLabel("Or paste the link").fill(`${server.url}#code=wrong`);
  await button(page, "Open").click();
  await page.getByRole("alert").getByText("not valid").waitFor();
  await page.getByLabel("Or paste the link").fill(server.issueCode());
  await button(page, "Open").click();
  await page.locator("nav, .empty").first().waitFor();
  assert.doesNotMatch(page.url(), /code/);
}

async function searching(site: Site): Promise<void> {
  const { root, stele } = await site.project("search");
  await stele.remember({ content: "Deploys need the VPN", type: "gotcha", tags: ["ops"] });
  await stele.remember({ content: "Money is stored as whole cents" });
  const { page, faults } = await site.enter(root);
  await page.getByText("2 items, newest first").waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("what do deploys need");
  await page.locator(".row", { hasText: "Deploys need the VPN" }).locator("mark", { hasText: "Deploys" }).waitFor();
  await page.locator(".row a").first().click();
  await page.getByText("Why it was found").waitFor();
  await button(page, "Edit").click();
  await page.getByLabel("What it says").fill("Deploys need the VPN and two approvals");
  await button(page, "Save").click();
  await notice(page, /Corrected|Replaced/).waitFor();
  await page.locator(".detail .prose", { hasText: "two approvals" }).first().waitFor();
  assert.equal((await stele.list({ type: ["gotcha"] })).items[0]?.content, "Deploys need the VPN and two approvals");
  await undo(page);
  await notice(page, "Undone").waitFor();
  assert.equal((await stele.list({ type: ["gotcha"] })).items[0]?.content, "Deploys need the VPN");
  await page.goto(`${site.server.url}#/search`);
  await page.getByLabel("Kind").selectOption("gotcha");
  await page.getByText("1 item with these filters").waitFor();
  await button(page, "Evidence").click();
  await page.getByText("Nothing here has these filters").waitFor();
  assert.deepEqual(faults, []);
}

async function keeping(site: Site): Promise<void> {
  const { root, stele } = await site.project("keep");
  const { id } = await stele.remember({ content: "Tests must not call the weather service" });
  const { page, faults } = await site.enter(root);
  await page.locator(".row a").click();
  const now = async () => {
    const { pinned, scope, status } = await stele.get({ id });
    return `${pinned} ${scope} ${status}`;
  };
  const steps: [label: string, said: string, becomes: string][] = [
    ["Pin", "Pinned", "true project active"],
    ["Use in all projects", "all projects", "false global active"],
    ["Forget", "Forgot", "false project archived"],
  ];
  for (const [label, said, becomes] of steps) {
    await page.locator(".detail").getByRole("button", { name: label, exact: true }).click();
    await notice(page, said).waitFor();
    assert.equal(await now(), becomes);
    await undo(page);
    await until(async () => (await now()) === "false project active");
    await page.locator(".detail").getByRole("button", { name: "Pin", exact: true }).waitFor();
  }
  await stele.promote({ id, scope: "global" });
  await button(page, "Only this project").click();
  await until(async () => (await now()) === "false project active");
  await page.locator(".detail").getByRole("button", { name: "Forget", exact: true }).click();
  await button(page, "Bring back").click();
  await until(async () => (await now()) === "false project active");
  assert.deepEqual(faults, []);
}

async function erasing(site: Site): Promise<void> {
  const { root, stele } = await site.project("erase");
  const { id } = await stele.remember({ content: "The key of the old lock is under the mat" });
  const { page, faults } = await site.enter(root);
  await page.locator(".row a").click();
  const dialog = page.getByRole("dialog");
  await button(page, "Erase for good").click();
  await dialog.getByText("can be undone").waitFor();
  await dialog.getByRole("button", { name: "Cancel" }).click();
  await dialog.waitFor({ state: "detached" });
  await button(page, "Erase for good").click();
  await dialog.getByRole("button", { name: "Erase…" }).click();
  await page.getByRole("dialog", { name: "There is no undo" }).waitFor();
  assert.equal((await stele.get({ id })).status, "active", "nothing has happened yet");
  await dialog.getByRole("button", { name: "Erase for good" }).click();
  await notice(page, "Erased").waitFor();
  assert.equal(await page.locator(".notice button", { hasText: "Undo" }).count(), 0);
  await assert.rejects(stele.get({ id }), { code: "not_found" });
  // It may have been asked for while it was being erased.
  assert.deepEqual(faults.filter((fault) => !fault.includes("404")), []); // prettier-ignore
}

async function deciding(site: Site): Promise<void> {
  const { root, stele } = await site.project("decide");
  const said = await stele.log({ text: "User: cookies or tokens?\nAssistant: tokens.", title: "Sign-in" });
  const old = await stele.propose({ subject: "map", decision: "Always draw the map as one SVG" });
  await stele.ratify({ id: old.id });
  await stele.propose({ subject: "map", decision: "Never draw the map as one SVG" });
  await stele.propose({ subject: "mail", decision: "Send mail by hand" });
  await stele.propose({
    subject: "auth",
    decision: "Sign in with tokens",
    evidence: [said.id],
    rationale: "No cookies.",
  });
  const { page, faults } = await site.enter(root);
  await page.locator("nav .badge", { hasText: "3" }).waitFor();
  await view(page, "Inbox");
  await page.locator(".row").nth(2).waitFor();
  await page.keyboard.press("j");
  await page.locator(".evidence", { hasText: "cookies or tokens?" }).waitFor();
  await page.keyboard.press("y");
  await page.getByRole("dialog").getByText("Sign in with tokens").waitFor();
  await page.keyboard.press("Enter");
  await notice(page, "Ratified").waitFor();
  await page.locator(".detail h2", { hasText: "mail" }).waitFor();
  await page.keyboard.press("n");
  await page.getByLabel("Agents read this").waitFor();
  await page.keyboard.type("Nobody has time for that");
  await page.keyboard.press("Enter");
  await notice(page, "Rejected").waitFor();
  const [rejected] = (await stele.proposals({ status: ["rejected"] })).items;
  assert.equal(rejected?.reason, "Nobody has time for that");
  await page.locator(".detail h2", { hasText: "map" }).waitFor();
  // It replaces what it is near, unless somebody says that both hold.
  await page.getByText("It ends").waitFor();
  await page.keyboard.press("e");
  await page.getByLabel("Decision").fill("Draw each harbour as its own SVG");
  await button(page, "Ratify it like this").click();
  await page.getByRole("dialog").getByText("Changed since it was proposed: decision").waitFor();
  await page.keyboard.press("Enter");
  await until(async () =>
    (await stele.decisions({ subject: "map" })).hits.some(({ content }) => content.includes("each harbour")),
  );
  await page.getByText("Nothing waits for you").waitFor();
  await page.keyboard.press("u");
  await page.getByRole("dialog").getByText("Undo this?").waitFor();
  await page.keyboard.press("Enter");
  await notice(page, "Undone").waitFor();
  assert.equal((await stele.proposals({})).total, 1);
  assert.deepEqual(faults, []);
}

async function merging(site: Site): Promise<void> {
  const { root, stele } = await site.project("merge");
  await stele.remember({ content: "Deploys need the VPN and a green build" });
  await stele.remember({ content: "Deploys need the VPN and a green build now" });
  const { page, faults } = await site.enter(root);
  await view(page, "Inbox");
  await page.locator(".row", { hasText: "alike" }).locator("a").click();
  await page.locator("ins", { hasText: "now" }).first().waitFor();
  await page.keyboard.press("n");
  await notice(page, "Kept both").waitFor();
  await page.getByText("Nothing waits for you").waitFor();
  await page.keyboard.press("u");
  await page.locator(".row", { hasText: "alike" }).locator("a").click();
  await page.locator("ins", { hasText: "now" }).first().waitFor();
  await page.keyboard.press("e");
  await page.getByLabel("The text of the merged memory").fill("Deploys need the VPN, and the build must be green");
  await button(page, /^Merge/).click();
  await page.getByRole("dialog").getByRole("button", { name: "Merge" }).click();
  await notice(page, "Merged into one").waitFor();
  const { items } = await stele.list({});
  assert.deepEqual(items.map(({ content }) => content), ["Deploys need the VPN, and the build must be green"]); // prettier-ignore
  await undo(page);
  await until(async () => (await stele.list({})).total === 2);
  assert.deepEqual(faults, []);
}

async function relating(site: Site): Promise<void> {
  const { root, stele } = await site.project("relate");
  const words = "is done by a job that runs every ten minutes on the web server";
  await stele.remember({ content: `The clean-up of old sign-in links ${words}.` });
  await stele.remember({
    content: "The reminder mail is sent by a job that runs every ten minutes on the web server.",
  });
  await stele.backfill({});
  assert.equal((await stele.relations({ suggested: true })).relations.length, 1);
  const { page, faults } = await site.enter(root);
  await view(page, "Inbox");
  await page.locator(".row", { hasText: "is related to" }).locator("a").click();
  await page.locator(".statement", { hasText: "clean-up" }).waitFor();
  await page.keyboard.press("y");
  await notice(page, "Related").waitFor();
  assert.equal((await stele.relations({})).relations.length, 1);
  await undo(page);
  await until(async () => (await stele.relations({ suggested: true })).relations.length === 1);
  await page.locator(".row", { hasText: "is related to" }).locator("a").click();
  await button(page, /^Dismiss/).waitFor();
  await page.keyboard.press("n");
  await until(async () => (await stele.relations({ suggested: true })).relations.length === 0);
  assert.deepEqual(faults, []);
}

async function importing(site: Site): Promise<void> {
  const [{ root, stele }, other] = [await site.project("import"), await site.project("import-source")];
  const { id } = await stele.remember({ content: "The port is 8080", compare: false });
  const file = join(site.folder, "export.jsonl");
  await stele.export({ path: file });
  await other.stele.import({ path: file });
  await other.stele.update({ id, content: "The port is 9090", as: "revision" });
  await other.stele.remember({ content: "Only they know this" });
  await other.stele.export({ path: file, overwrite: true });
  const { page, faults } = await site.enter(root);
  await view(page, "Inbox");
  await page.getByLabel("Choose an export").setInputFiles(file);
  await page.getByText("1 new item").waitFor();
  await button(page, "Add what is new").click();
  await notice(page, "Imported 1 item").waitFor();
  assert.equal((await stele.get({ id })).content, "The port is 8080");
  await page.locator(".row").first().locator("a").click();
  await page.locator("ins", { hasText: "9090" }).waitFor();
  await page.keyboard.press("y");
  await notice(page, "Replaced by the version in the file").waitFor();
  assert.equal((await stele.get({ id })).content, "The port is 9090");
  const broken = join(site.folder, "broken.jsonl");
  writeFileSync(broken, "no export");
  await page.getByLabel("Choose an export").setInputFiles(broken);
  await notice(page, "line 1").waitFor();
  assert.deepEqual(faults.filter((fault) => !fault.includes("422")), []); // prettier-ignore
}

async function rollingBack(site: Site): Promise<void> {
  const { root, stele } = await site.project("timeline");
  const { id } = await stele.remember({ content: "The limit is 10", session: "morning" });
  await stele.update({ id, content: "The limit is 20" });
  const { page, faults } = await site.enter(root);
  await view(page, "Timeline");
  await page.locator("summary", { hasText: "morning" }).click();
  await page.getByRole("link", { name: "The limit is" }).first().waitFor();
  await button(page, "Changes").click();
  const call = page.locator(".call", { hasText: "You changed" }).first();
  await call.locator("summary").first().click();
  await call.locator("ins").first().waitFor();
  await call.getByRole("button", { name: "Undo this" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Undo it" }).click();
  await notice(page, "Undone").waitFor();
  assert.equal((await stele.list({})).items[0]?.content, "The limit is 10");
  await page.locator(".call", { hasText: "You undid" }).first().waitFor();
  assert.deepEqual(faults, []);
}

async function living(site: Site): Promise<void> {
  const { root, stele } = await site.project("live");
  await stele.remember({ content: "Here from the start" });
  const { page, faults } = await site.enter(root);
  await page.getByText("Here from the start").waitFor();
  await stele.remember({ content: "Written while you were looking" });
  await page.getByText("Written while you were looking").waitFor();
  await stele.propose({ subject: "news", decision: "Tell at once" });
  await page.locator("nav .badge", { hasText: "1" }).waitFor();
  assert.deepEqual(faults, []);
}

async function switching(site: Site): Promise<void> {
  const [one, two] = [await site.project("first-project"), await site.project("second-project")];
  await one.stele.remember({ content: "Only in the first" });
  await two.stele.remember({ content: "Only in the second" });
  await two.stele.remember({ content: "In every project I like tea", scope: "global", type: "preference" });
  const { page, faults } = await site.enter(one.root);
  await page.getByText("Only in the first").waitFor();
  await page.getByLabel("Project", { exact: true }).selectOption({ label: "second-project" });
  await page.getByText("Only in the second").waitFor();
  assert.equal(await page.getByText("Only in the first").count(), 0);
  await page.getByLabel("Project", { exact: true }).selectOption({ label: "Your own space" });
  await page.getByText("In every project I like tea").waitFor();
  await page.getByText("Only in the second").waitFor({ state: "detached" });
  await view(page, "Project");
  await page.getByRole("heading", { name: "Your own space" }).waitFor();
  await page.getByLabel("Project", { exact: true }).selectOption({ label: "first-project" });
  await page.getByText("What the next session is handed").waitFor();
  await page.getByText("without complaint").waitFor();
  await page.getByText("Nothing, ever.").waitFor();
  assert.deepEqual(faults, []);
}

async function drawing(site: Site): Promise<void> {
  const { root, stele } = await site.project("graph");
  const first = await stele.remember({ content: "The first of many", files: ["src/many.ts"] });
  let last = first.id;
  for (let number = 1; number <= 40; number += 1) {
    const { id } = await stele.remember({ content: `Node number ${number}`, relates: [last], compare: false });
    last = id;
  }
  const { page, faults } = await site.enter(root);
  await view(page, "Graph");
  const { items, files } = await stele.relations({ limit: 5_000 });
  const count = items.length + files.length;
  assert.ok(count >= 42);
  await page.getByText(new RegExp(`^${count} nodes, \\d+ lines`)).waitFor();
  await page.locator(".drawing canvas").first().waitFor({ state: "attached" });
  await page.getByLabel("Find a node").fill("first of many");
  await page.getByText("1 node found").waitFor();
  await page.locator(".links button", { hasText: "The first of many" }).click();
  await page.locator(".detail .prose", { hasText: "The first of many" }).waitFor();
  await page.locator(".graph-side", { hasText: "src/many.ts" }).waitFor();
  await page.locator(".drawing[data-state=settled]").waitFor();
  await page
    .locator(".drawing canvas")
    .first()
    .evaluate((canvas) => canvas.setAttribute("data-known", ""));
  await stele.remember({ content: "Somebody adds a node", relates: [last], compare: false });
  await page.getByText(new RegExp(`^${count + 1} nodes`)).waitFor();
  await page.locator(".drawing[data-state=settled]").waitFor();
  await button(page, "Files").click();
  await page.getByText(new RegExp(`^${count + 1 - files.length} nodes`)).waitFor();
  assert.equal(await page.locator(".drawing canvas[data-known]").count(), 1, "it is the same drawing");
  assert.deepEqual(faults, []);
}
