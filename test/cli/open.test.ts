import assert from "node:assert/strict";
import { test } from "node:test";
import { runOpen } from "../../src/cli/open.ts";
import { streams } from "../hosts/fixtures/streams.ts";

const URL_OF = "http://127.0.0.1:7835/";

function opening(argv: readonly string[], options: { attended?: boolean; tty?: boolean; browser?: boolean } = {}) {
  const { attended = true, tty = true, browser = true } = options;
  const log: string[] = [];
  const { io, out } = streams({ tty });
  const run = runOpen(argv, {
    io,
    attended,
    cwd: "/work/a b",
    async server(port) {
      log.push(`server ${port}`);
      return { url: URL_OF, code: async () => "one-time", ended: null };
    },
    async show(address) {
      log.push(address);
      return browser;
    },
  });
  return { run, log, out };
}

test("the browser is shown the page, with the code and the project behind the #", async () => {
  const { run, log, out } = opening([]);
  assert.equal(await run, 0);
  assert.deepEqual(log, ["server undefined", `${URL_OF}#code=one-time&project=%2Fwork%2Fa+b`]);
  assert.doesNotMatch(out(), /one-time/, "the code is not left on the screen");
});

test("without a browser, or on request, the address is printed", async () => {
  for (const [argv, options] of [
    [["--print"], {}],
    [[], { browser: false }],
  ] as const) {
    const { run, out } = opening([...argv, "--project", "/p", "--port", "1"], options);
    assert.equal(await run, 0);
    assert.match(out(), /^http:\/\/127\.0\.0\.1:7835\/#code=one-time&project=%2Fp$/m);
  }
});

for (const [options, why] of [
  [{ attended: false }, "a shell that an agent runs"],
  [{ tty: false }, "a pipe"],
] as const)
  test(`${why} gets no code`, async () => {
    const { run, log } = opening(["--print"], options);
    await assert.rejects(run, { code: "refused" });
    assert.deepEqual(log, [], "nothing is started either");
  });
