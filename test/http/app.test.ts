import assert from "node:assert/strict";
import { test } from "node:test";
import { createChanges } from "../../src/http/changes.ts";
import { createRate, createTokens } from "../../src/http/guard.ts";
import type { PageFile } from "../../src/http/page-files.ts";
import { createProjects } from "../../src/http/projects.ts";
import { type AppOptions, createApp, mcpRoute } from "../../src/http/routes.ts";
import type { Finding } from "../../src/maintenance/finding.ts";
import { catalogOf } from "../catalog-of.ts";
import { catalog } from "../hosts/fixtures/catalog.ts";
import { fakeWorld, type Recorded } from "../hosts/fixtures/world.ts";

const clock = { now: () => 0 };
const OWN = { host: "127.0.0.1:7835", authorization: "Bearer secret" };

const OWNER = { authorization: "Bearer key" };
const FINDING = (project: string): Finding => ({
  check: "home",
  state: "ok",
  message: project,
  next: null,
  remedy: { kind: "clear", paths: ["/secret"] },
});

function served(options: Partial<Pick<AppOptions, "rate" | "codeRate" | "peerOf" | "page">> = {}) {
  const opened: string[] = [];
  const recorded: Recorded[] = [];
  const projects = createProjects({
    clock,
    open: async (folder) => {
      opened.push(folder);
      const fake = fakeWorld();
      fake.recorded.push = (...more) => recorded.push(...more);
      return { world: fake.world, close: async () => undefined };
    },
  });
  let stops = 0;
  const url = () => "http://127.0.0.1:7835/";
  const tokens = createTokens({ token: "secret", ownerKey: "key" }, clock);
  const app = createApp({
    catalog: catalogOf(catalog),
    projects,
    tokens,
    version: "1.2.3",
    origins: () => ["http://127.0.0.1:7835"],
    rate: options.rate ?? (() => undefined),
    codeRate: options.codeRate ?? (() => undefined),
    ...(options.peerOf && { peerOf: options.peerOf }),
    spaces: async () => [{ id: "s", key: "/p/.git", root: "/p", remote: null, firstCommit: null, createdAt: 5 }],
    stop: () => void stops++,
    examine: async (project) => [FINDING(project)],
    page: options.page ?? new Map(),
    changes: createChanges(projects, clock),
    mcp: mcpRoute({ catalog: catalogOf(catalog), tools: "full", defaultTools: [], version: "1.2.3" }, projects, url),
    pageUrl: url,
  });
  const ask = async (
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
    method = body === undefined ? "GET" : "POST",
    socket = {},
  ) => {
    const all = { ...OWN, ...(body !== undefined && { "content-type": "application/json" }), ...headers };
    const sent = Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined);
    const content = typeof body === "string" || body === undefined ? body : JSON.stringify(body);
    const sending = { method, headers: sent, ...(content !== undefined && { body: content }) };
    const response = await app.request(`http://127.0.0.1:7835${path}`, sending, { incoming: { socket } });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
  };
  return { ask, opened, recorded, tokens, stops: () => stops };
}

test("a verb is called by its name and answers like everywhere", async () => {
  const { ask, opened } = served();
  const { status, json, headers } = await ask("/v1/find_notes", { query: "deploy", project: "/p" });
  assert.equal(status, 200);
  assert.deepEqual([json().query, json().limit, json().origin.verb], ["deploy", 10, "find_notes"]);
  assert.deepEqual(opened, ["/p"]);
  assert.equal(headers.get("cache-control"), "no-store");
  assert.equal((await ask("/v1/find-notes", { query: "a", project: "/p" })).status, 200);
  assert.deepEqual(opened, ["/p"], "a project is opened once");
});

test("the project is a field or a header", async () => {
  const { ask, opened } = served();
  assert.equal((await ask("/v1/find_notes", { query: "a" }, { "stele-project": "/p%C3%BC" })).status, 200);
  for (const [sent, meant] of [
    ["/50%", "/50%"],
    [Buffer.from("/pö b").toString("latin1"), "/pö b"],
  ] as const) {
    assert.equal((await ask("/v1/find_notes", { query: "a" }, { "stele-project": sent })).status, 200);
    assert.equal(opened.at(-1), meant, "as hosts send it, without encoding");
  }
  assert.deepEqual(opened[0], "/pü");
});

const wrong: [path: string, body: unknown, headers: Record<string, string | undefined>, status: number, why: string][] =
  [
    ["/v1/find_notes", { query: "a", project: "/p" }, { authorization: undefined }, 401, "no token"],
    ["/v1/find_notes", { query: "a", project: "/p" }, { authorization: "Bearer other" }, 401, "a wrong token"],
    ["/v1/find_notes?token=secret", { query: "a", project: "/p" }, { authorization: undefined }, 401, "one in the URL"],
    ["/v1/projects", undefined, { authorization: undefined }, 401, "no token for the list of projects"],
    ["/health", undefined, { authorization: undefined }, 401, "no token for the state of the server"],
    ["/person/codes", {}, { authorization: undefined }, 401, "no token for a code"],
    ["/stop", {}, { authorization: undefined }, 401, "no token to stop it"],
    ["/person/codes", {}, {}, 403, "an agent asks for a code"],
    ["/stop", {}, {}, 403, "an agent stops it"],
    ["/v1/doctor?project=/p", undefined, {}, 403, "an agent asks the doctor"],
    ["/v1/doctor?project=/p", undefined, OWNER, 403, "the owner's key is for commands"],
    ["/v1/find_notes", { query: "a", project: "/p" }, OWNER, 403, "the owner's key runs no verb"],
    ["/mcp", {}, OWNER, 403, "nor a tool"],
    ["/v1/changes?project=/p", undefined, { authorization: undefined }, 401, "no token to listen"],
    ["/v1/changes", undefined, {}, 422, "nothing to listen to"],
    ["/reference", undefined, { host: "evil.example:7835" }, 403, "another name, even for the page"],
    ["/v1/find_notes", { query: "a", project: "/p" }, { origin: "https://evil.example" }, 403, "another site"],
    ["/v1/find_notes", { query: "a" }, {}, 422, "no project"],
    ["/v1/find_notes", { query: "a", project: "relative" }, {}, 422, "a relative project"],
    ["/v1/find_notes", { project: "/p" }, {}, 422, "a missing field"],
    ["/v1/find_notes", { query: "a", project: "/p", colour: 1 }, {}, 422, "an unknown field"],
    ["/v1/find_notes", '{"query":"a","project":"/p","__proto__":{"limit":1}}', {}, 422, "a field of no object"],
    ["/v1/find_notes", "{", {}, 422, "no JSON"],
    ["/v1/find_notes", "[]", {}, 422, "a list"],
    ["/v1/find_notes", { query: "a", project: "/p" }, { "content-type": "text/plain" }, 422, "a form's content"],
    ["/v1/find_notes", { query: "a".repeat(4_200_000), project: "/p" }, {}, 413, "too long"],
    ["/v1/nothing", { project: "/p" }, {}, 404, "no such verb"],
    ["/v1/constructor", { project: "/p" }, {}, 404, "no property of objects"],
    ["/elsewhere", undefined, {}, 404, "no such route"],
    ["/v1/find_notes", undefined, {}, 404, "a verb is posted"],
    ["/v1/fail_note", { how: "conflict", project: "/p" }, {}, 409, "a failure of the verb"],
    ["/v1/fail_note", { how: "surprise", project: "/p" }, {}, 500, "a defect"],
    ["/v1/drop_notes", { ids: ["a"], file: "/etc/passwd", project: "/p" }, {}, 403, "a file of this machine"],
    ["/v1/ratify_note", { id: "a", project: "/p" }, {}, 403, "an agent does what only a person may"],
    ["/person/tokens", { code: "guessed" }, {}, 401, "a code that was never issued"],
  ];
for (const [path, body, headers, status, why] of wrong)
  test(`${path}: ${status}, ${why}`, async () => {
    const { ask, recorded, stops } = served();
    const answer = await ask(path, body, headers);
    assert.equal(answer.status, status);
    const { error } = answer.json();
    assert.ok(error.code && error.message && error.hint);
    assert.deepEqual([recorded.length, stops()], [0, 0]);
    assert.equal(answer.headers.get("x-content-type-options"), "nosniff");
  });

test("what needs no token: the page and the description", async () => {
  const { ask } = served();
  const page = await ask("/reference", undefined, { authorization: undefined });
  assert.equal(page.status, 200);
  assert.match(page.text, /POST \/v1\/find_notes/);
  const api = (await ask("/openapi.json", undefined, { authorization: undefined })).json();
  assert.deepEqual(
    Object.keys(api.paths),
    catalog.map(({ name }) => `/v1/${name}`),
  );
  assert.ok(api.components.schemas.FindNotesInput.properties.query);
  assert.deepEqual(Object.keys(api.components.schemas.DropNotesInput.properties), ["ids"], "no files");
});

test("a person is asked, and answers the question that was shown", async () => {
  const { ask, tokens } = served();
  const person = { authorization: `Bearer ${tokens.redeem(tokens.issueCode())}` };
  const request = { id: "a", form: "full", project: "/p" };
  const first = await ask("/v1/ratify_note", request, person);
  assert.equal(first.status, 428);
  const { question, fingerprint } = first.json();
  assert.match(question.message, /^Ratify it\?/);
  const values = { agree: true, how: "fully", reason: "tried" };
  const answered = await ask("/v1/ratify_note", { ...request, answer: { question: fingerprint, values } }, person);
  assert.deepEqual([answered.status, JSON.parse(answered.json().reply)], [200, values]);
  const elsewhere = { ...request, id: "b", answer: { question: fingerprint, values } };
  assert.equal(
    (await ask("/v1/ratify_note", elsewhere, person)).status,
    428,
    "an answer is good for its question only",
  );
  const declined = { ...request, answer: { question: fingerprint, values: null } };
  assert.equal((await ask("/v1/ratify_note", declined, person)).status, 403);
  const agents = { ...request, answer: { question: fingerprint, values } };
  assert.equal((await ask("/v1/ratify_note", agents)).status, 403, "an agent cannot use what a person was shown");
  const unsteady = { id: "a", form: "unsteady", project: "/p" };
  const shown = (await ask("/v1/ratify_note", unsteady, person)).json();
  const again = { ...unsteady, answer: { question: shown.fingerprint, values: { agree: true } } };
  assert.equal((await ask("/v1/ratify_note", again, person)).status, 428, "a question that changed is asked again");
});

test("a person's token is had for a code, over HTTP too", async () => {
  const { ask } = served();
  const { code } = (await ask("/person/codes", {}, OWNER)).json();
  const { token } = (await ask("/person/tokens", { code }, { authorization: undefined })).json();
  assert.equal((await ask("/health", undefined, { authorization: `Bearer ${token}` })).json().bearer, "person");
  assert.equal((await ask("/person/tokens", { code }, { authorization: undefined })).status, 401);
});

test("what other users of the machine try does not keep the owner from opening the page", async () => {
  const [own, root, other] = [501, 0, 502];
  const { ask, tokens } = served({
    codeRate: createRate({ burst: 10, perSecond: 1 }, clock),
    // A connection's port tells its user here.
    peerOf: ({ remotePort: user }) => ({ user, isStranger: user === other }),
  });
  const redeem = async (code: string, user: number) => {
    const socket = { localPort: 7835, remotePort: user };
    return (await ask("/person/tokens", { code }, { authorization: undefined }, "POST", socket)).status;
  };
  for (let tries = 0; tries < 60; tries += 1) assert.equal(await redeem("guessed", other), 403, "always a stranger");
  const guesses = [];
  for (let tries = 0; tries < 11; tries += 1) guesses.push(await redeem("guessed", root));
  assert.deepEqual(guesses, [...Array<number>(10).fill(401), 429], "whoever may come in may not guess on");
  assert.equal(await redeem(tokens.issueCode(), own), 200);
});

test("a dry run writes nothing and says what it would write", async () => {
  const { ask, recorded } = served();
  const { status, json } = await ask("/v1/keep_note", { text: "a", project: "/p", dryRun: true });
  assert.deepEqual([status, json().dryRun, json().answer.text], [200, true, "a"]);
  assert.ok(json().changes.length > 0);
  assert.ok(recorded.every(({ dryRun }) => dryRun));
});

test("a long call may be followed line by line", async () => {
  const { ask } = served();
  const { text } = await ask("/v1/count_slowly", { to: 2, project: "/p" }, { accept: "application/x-ndjson" });
  const sent = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.deepEqual(sent, [
    { progress: { done: 1, total: 2, message: "counting" } },
    { progress: { done: 2, total: 2, message: "counting" } },
    { status: 200, document: { counted: 2 } },
  ]);
});

test("projects are listed, and the server is stopped, with a token", async () => {
  const { ask, stops } = served();
  assert.deepEqual((await ask("/v1/projects")).json(), { projects: [{ id: "s", root: "/p", createdAt: 5 }] });
  assert.equal((await ask("/stop", {}, OWNER)).status, 200);
  assert.equal(stops(), 1);
});

test("who asks too often is told to wait", async () => {
  const { ask } = served({ rate: createRate({ burst: 1, perSecond: 1 }, clock) });
  assert.equal((await ask("/health")).status, 200);
  const refused = await ask("/health");
  assert.deepEqual([refused.status, refused.headers.get("retry-after")], [429, "1"]);
});

test("the page's files are served as they are known, and nothing else from where they lie", async () => {
  const script: PageFile = { type: "text/javascript", bytes: new TextEncoder().encode("1"), tag: '"t"' };
  const { ask } = served({
    page: new Map([
      ["/", script],
      ["/app/main.js", script],
    ]),
  });
  const found = await ask("/app/main.js", undefined, { authorization: undefined });
  assert.deepEqual([found.status, found.text, found.headers.get("content-type")], [200, "1", "text/javascript"]);
  assert.equal(found.headers.get("cache-control"), "no-cache");
  assert.match(found.headers.get("content-security-policy") ?? "", /default-src 'none'; script-src 'self';/);
  assert.doesNotMatch(found.headers.get("content-security-policy") ?? "", /unsafe|https?:|data:|\*/);
  for (const [name, value] of [
    ["x-content-type-options", "nosniff"],
    ["referrer-policy", "no-referrer"],
    ["cross-origin-opener-policy", "same-origin"],
    ["cross-origin-resource-policy", "same-origin"],
    ["cross-origin-embedder-policy", "require-corp"],
  ] as const)
    assert.equal(found.headers.get(name), value);
  assert.equal((await ask("/app/main.js", undefined, { "if-none-match": '"t"' })).status, 304);
  for (const path of ["/app", "/app/", "/app/main.ts", "/app/%2e%2e/main.js", "/app//main.js", "/..%2fapp/main.js"])
    assert.equal((await ask(path)).status, 404, path);
  assert.equal((await ask("/")).text, "1");
});

test("without the page, the way leads to the description", async () => {
  const { status, headers } = await served().ask("/", undefined, { authorization: undefined });
  assert.deepEqual([status, headers.get("location")], [302, "/reference"]);
});

test("a person is told what the doctor finds, without the remedies", async () => {
  const { ask, tokens } = served();
  const person = { authorization: `Bearer ${tokens.redeem(tokens.issueCode())}` };
  const { status, json } = await ask("/v1/doctor", undefined, { ...person, "stele-project": "/p" });
  assert.deepEqual(
    [status, json()],
    [200, { ok: true, findings: [{ check: "home", state: "ok", message: "/p", next: null }] }],
  );
});
