import assert from "node:assert/strict";
import { test } from "node:test";
import { browserCommand, showInBrowser } from "../../src/http/browser.ts";

const ADDRESS = "http://127.0.0.1:7835/#code=a&b;$(touch x)";

for (const platform of ["linux", "darwin", "win32"])
  test(`on ${platform} the address is one argument of a program that is no shell`, () => {
    const [program, ...words] = browserCommand(ADDRESS, platform);
    assert.equal(words.at(-1), ADDRESS);
    assert.doesNotMatch(program, /^(?:cmd|sh|bash|powershell|start)(?:\.exe)?$/);
  });

test("whether a browser was started is told", async () => {
  assert.equal(await showInBrowser(ADDRESS, () => [process.execPath, "--version"]), true);
  assert.equal(await showInBrowser(ADDRESS, () => ["stele-no-such-browser"]), false);
});
