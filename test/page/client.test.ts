/** The client of the page against servers of a few lines: questions, refusals, and the stream of changes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createApi } from "../../src/page/client/api.ts";
import { listenForChanges } from "../../src/page/client/changes.ts";
import { createSession } from "../../src/page/client/session.ts";
import { until } from "../until.ts";

type Sent = { path: string; body: Record<string, unknown>; headers: Headers };

function apiOf(answers: ((sent: Sent) => Response)[], ask: () => Promise<Record<string, boolean> | null>) {
  const sent: Sent[] = [];
  const api = createApi({
    token: () => "key",
    project: "/my project/ü",
    ask,
    async fetch(path, { body, headers } = {}) {
      const one = { path: String(path), body: JSON.parse(String(body)) as Sent["body"], headers: new Headers(headers) };
      sent.push(one);
      return answers[sent.length - 1]!(one);
    },
  });
  return { api, sent };
}

const nobody = async () => null;
const question = { question: { message: "Sure?", fields: {} }, fingerprint: "print-1" };

test("a call names its verb, its project and its token", async () => {
  const { api, sent } = apiOf([() => Response.json({ items: [], total: 0 })], nobody);
  assert.deepEqual(await api.list({ limit: 3 }), { items: [], total: 0 });
  const [{ path, body, headers }] = sent as [Sent];
  assert.deepEqual([path, body, headers.get("authorization")], ["/v1/list", { limit: 3 }, "Bearer key"]);
  assert.equal(decodeURIComponent(headers.get("stele-project")!), "/my project/ü");
});

test("a dry run answers with what would be", async () => {
  const { api, sent } = apiOf([() => Response.json({ dryRun: true, answer: { status: "ratified" } })], nobody);
  assert.deepEqual(await api.ratify({ id: "a" }, { dryRun: true }), { status: "ratified" });
  assert.equal(sent[0]?.body["dryRun"], true);
});

test("a question is answered with its fingerprint; declining changes nothing", async () => {
  const asking = () => Response.json(question, { status: 428 });
  const yes = apiOf([asking, () => Response.json({ status: "merged" })], async () => ({ merge: true }));
  await yes.api.merge({ first: "a", second: "b" });
  assert.deepEqual(yes.sent[1]?.body["answer"], { question: "print-1", values: { merge: true } });
  const no = apiOf([asking], nobody);
  await assert.rejects(no.api.merge({ first: "a", second: "b" }), { code: "refused", message: "Nothing was changed." });
  assert.equal(no.sent.length, 1);
  const changed = apiOf([asking, asking], async () => ({ merge: true }));
  await assert.rejects(changed.api.merge({ first: "a", second: "b" }), { code: "conflict" });
});

test("what goes wrong is a failure with the server's words, or ours if it has none", async () => {
  const refused = () => Response.json({ error: { code: "not_found", message: "No.", hint: "Look." } }, { status: 404 });
  await assert.rejects(apiOf([refused], nobody).api.get({ id: "a" }), {
    code: "not_found",
    message: "No.",
    hint: "Look.",
  });
  await assert.rejects(apiOf([() => new Response("<html>")], nobody).api.get({ id: "a" }), { code: "internal" });
  const unreachable = () => {
    throw new TypeError("fetch failed");
  };
  await assert.rejects(apiOf([unreachable], nobody).api.get({ id: "a" }), { code: "unavailable" });
});

function storage(): Storage {
  const kept = new Map<string, string>();
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  } as Storage;
}

test("a code is traded in once, and a bad one leaves no token", async () => {
  const session = createSession(storage(), async () => Response.json({ token: "t" }));
  await session.enter({ code: null, project: "/elsewhere", item: null });
  assert.deepEqual([session.token(), session.project(), session.wished()], [null, null, "/elsewhere"]);
  await session.enter({ code: "c", project: "/p", item: null });
  assert.deepEqual([session.token(), session.project(), session.wished()], ["t", "/p", null]);
  session.keepUndoable("calls");
  assert.equal(session.undoable(), "calls");
  session.leave();
  assert.equal(session.token(), null);
  const error = { error: { code: "unauthorized", message: "Old.", hint: "Run `stele open`." } };
  const refused = createSession(storage(), async () => Response.json(error, { status: 401 }));
  await assert.rejects(refused.enter({ code: "c", project: null, item: null }), { code: "unauthorized" });
  assert.equal(refused.token(), null);
});

test("after a connection that ended, everything is read again", async () => {
  const bodies = [['{"revision":"1"}\n'], ['{"revision":"1"}\n{"revision":"1"}\n']];
  let changes = 0;
  const listening = listenForChanges(
    {
      token: () => "key",
      project: "/p",
      async fetch(_, { signal } = {}) {
        const parts = bodies.shift();
        if (parts === undefined) return new Promise<never>((_, reject) => signal?.addEventListener("abort", reject));
        return new Response(ReadableStream.from(parts.map((part) => new TextEncoder().encode(part))));
      },
    },
    { changed: () => void (changes += 1), isHeard: () => undefined },
  );
  await until(() => changes === 1 && bodies.length === 0);
  listening.stop();
  assert.equal(changes, 1);
});

test("changes are heard once each, however the lines are cut, and after a connection that ended", async () => {
  const bodies = [['{"revision":"1"}\n{"revi', 'sion":"1"}\n\n{"revision":"2"}\n'], ['{"revision":"3"}\n']];
  const heard: string[] = [];
  let changes = 0;
  const listening = listenForChanges(
    {
      token: () => "key",
      project: "/p",
      async fetch(_, { signal } = {}) {
        const parts = bodies.shift();
        if (parts === undefined) return new Promise<never>((_, reject) => signal?.addEventListener("abort", reject));
        return new Response(ReadableStream.from(parts.map((part) => new TextEncoder().encode(part))));
      },
    },
    { changed: () => void (changes += 1), isHeard: (isHeard) => void heard.push(String(isHeard)) },
  );
  await until(() => changes === 2);
  listening.stop();
  assert.ok(heard.includes("false") && heard.includes("true"));
});
