import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { inspect } from "node:util";
import { Failure } from "../../src/errors.ts";
import type { RemoteEmbedderName } from "../../src/remote/provider.ts";
import { createRemoteEmbedder, type RemoteEmbedderOptions } from "../../src/remote/remote-embedder.ts";
import { type Answer, providerServer, type Sent } from "./provider-server.ts";

const KEY = "canary-key-52fe";
const SECRET = `ghp_${"a1B2c3D4e5F6".repeat(3)}`;

/** Each text's vector, as the server would send it: not of length one. */
const vectorOf = (text: string): number[] => [text.length, 3, 0, 4];
const textsIn = ({ body }: Sent): string[] => {
  const requests = body["requests"] as { content: { parts: { text: string }[] } }[] | undefined;
  return requests?.map(({ content }) => content.parts[0]!.text) ?? (body["input"] as string[]);
};

const REPLIES: Record<RemoteEmbedderName, (texts: string[]) => unknown> = {
  gemini: (texts) => ({ embeddings: texts.map((text) => ({ values: vectorOf(text) })) }),
  openai: (texts) => ({
    data: texts.map((text, index) => ({ index, embedding: vectorOf(text) })).toReversed(),
    usage: { prompt_tokens: 42 },
  }),
  ollama: (texts) => ({ embeddings: texts.map(vectorOf), prompt_eval_count: 42 }),
};

async function embedderOf(
  provider: RemoteEmbedderName,
  answer: (sent: Sent) => Answer = (sent) => ({ body: REPLIES[provider](textsIn(sent)) }),
  set: Partial<RemoteEmbedderOptions> = {},
) {
  const { address, sent } = await providerServer(answer);
  const terms = { model: "some-model", baseUrl: address, dimensions: 4, key: KEY, keyVariable: "A_KEY" };
  const embedder = createRemoteEmbedder({ provider, ...terms, timeoutMs: 60_000, backoffMs: 1, ...set });
  return { embedder, sent };
}

for (const provider of ["gemini", "openai", "ollama"] as const)
  describe(provider, () => {
    test("gives unit vectors in the order of the texts, a hundred a call", async () => {
      const tokens: number[] = [];
      const { embedder, sent } = await embedderOf(provider, undefined, { onUsage: (used) => void tokens.push(used) });
      const texts = Array.from({ length: 150 }, (_, length) => "x".repeat(length + 1));
      const vectors = await embedder.embed(texts);
      for (const [index, vector] of vectors.entries()) {
        assert.ok(Math.abs(Math.hypot(...vector) - 1) < 1e-6);
        assert.ok(Math.abs(vector[0]! / vector[1]! - (index + 1) / 3) < 1e-4);
      }
      assert.deepEqual(
        sent.map((one) => textsIn(one).length),
        [100, 50],
      );
      assert.equal(tokens.length, 2);
      assert.ok(tokens.every((used) => (provider === "gemini" ? used > 0 : used === 42)));
      assert.deepEqual(await embedder.embed([]), []);
    });

    test("is told what a text is for, where it wants to know, and gets the key in a header only", async () => {
      const { embedder, sent } = await embedderOf(provider);
      await embedder.embed(["a passage"]);
      await embedder.embedQuestion("a question?");
      const tasks = sent.map(({ body }) => (body["requests"] as { taskType: string }[] | undefined)?.[0]?.taskType);
      const expected = provider === "gemini" ? ["RETRIEVAL_DOCUMENT", "RETRIEVAL_QUERY"] : [undefined, undefined];
      assert.deepEqual(tasks, expected);
      for (const { text, headers } of sent) {
        assert.ok(!text.includes(KEY));
        assert.equal(provider === "gemini" ? headers["x-goog-api-key"] : headers.authorization?.slice(7), KEY);
      }
    });

    test("gets no secret, and something for an empty text", async () => {
      const { embedder, sent } = await embedderOf(provider);
      assert.equal((await embedder.embed([`token ${SECRET}`, ""])).length, 2);
      assert.ok(!sent[0]?.text.includes(SECRET));
      assert.equal(textsIn(sent[0]!)[1], "-");
    });

    const broken: [string, (texts: string[]) => unknown][] = [
      ["too few vectors", () => REPLIES[provider]([])],
      ["something else", () => ({ error: KEY })],
      ["null", () => "null"],
    ];
    for (const [what, body] of broken)
      test(`that returns ${what} fails without the key, and is left alone for a while`, async () => {
        const { embedder, sent } = await embedderOf(provider, (one) => ({ body: body(textsIn(one)) }));
        const thrown = await embedder.embed(["a text"]).catch((reason: unknown) => reason);
        assert.ok(thrown instanceof Failure);
        assert.doesNotMatch(inspect(thrown, { depth: null }), new RegExp(KEY));
        await assert.rejects(embedder.embedQuestion("again"), { message: /a moment ago/ });
        assert.equal(sent.length, 1);
      });

    test("that returns other dimensions, no numbers or no direction fails", async () => {
      const wrong: unknown[] = [[1, 2, 3], [1, 2, 3, "4"], [0, 0, 0, 0], [1, 2, 3, null], "1,2,3,4"];
      for (const values of wrong) {
        const reply = {
          gemini: { embeddings: [{ values }] },
          openai: { data: [{ index: 0, embedding: values }] },
          ollama: { embeddings: [values] },
        };
        const { embedder } = await embedderOf(provider, () => ({ body: reply[provider] }));
        await assert.rejects(embedder.embed(["a text"]), { code: "unavailable", message: /returned a vector/ });
      }
    });
  });

test("it tries again after a while, and after it was too busy", async () => {
  let calls = 0;
  const answer = (sent: Sent): Answer =>
    (calls += 1) === 1 ? { status: 401 } : calls === 2 ? { status: 429 } : { body: REPLIES.openai(textsIn(sent)) };
  const { embedder } = await embedderOf("openai", answer, { restMs: 0 });
  await assert.rejects(embedder.embed(["a"]), { message: /status 401/ });
  assert.equal((await embedder.embed(["a"])).length, 1);
});

test("its identity names provider, model and dimensions; closed, or without its key, it sends nothing", async () => {
  const { embedder, sent } = await embedderOf("gemini");
  assert.deepEqual(
    [embedder.identity, embedder.dimensions, embedder.state()],
    ["remote:gemini:some-model:4:1", 4, "ready"],
  );
  await embedder.close();
  assert.equal(embedder.state(), "absent");
  await assert.rejects(embedder.embed(["a"]), { code: "unavailable" });
  await assert.rejects(embedder.load(), { code: "unavailable" });
  const keyless = await embedderOf("openai", undefined, { key: null });
  await assert.rejects(keyless.embedder.embed(["a"]), { message: /A_KEY/ });
  assert.deepEqual([sent.length, keyless.sent.length], [0, 0]);
});
