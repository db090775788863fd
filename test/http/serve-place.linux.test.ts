/** Where a server leaves its token and its note: private files, or secrets that were handed to it. */
import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { servePlace } from "../../src/http/serve-place.ts";
import { readSecret } from "../../src/machine/private-files.ts";

const folder = mkdtempSync(join(tmpdir(), "stele-place-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const TOKEN = "a".repeat(32);
const place = servePlace(join(folder, "home"));

test("a token is made once, for its owner alone", () => {
  const { token, file } = place.token(undefined, () => TOKEN);
  assert.equal(token, TOKEN);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(place.token(undefined, () => "b".repeat(32)).token, TOKEN, "and found again");
  chmodSync(file, 0o644);
  assert.throws(() => place.token(undefined, () => TOKEN), { code: "refused" });
  rmSync(file);
  writeFileSync(join(folder, "elsewhere"), TOKEN, { mode: 0o600 });
  symlinkSync(join(folder, "elsewhere"), file);
  assert.throws(() => place.token(undefined, () => TOKEN), { code: "ELOOP" }, "no link leads to it");
  rmSync(file);
});

test("a token in a file that was named is read, through links too, and never made", () => {
  const [secret, link] = [join(folder, "secret"), join(folder, "link")];
  writeFileSync(secret, `${TOKEN}\n`, { mode: 0o600 });
  symlinkSync(secret, link);
  const never = () => assert.fail("no token is made");
  assert.deepEqual(place.token(link, never), { token: TOKEN, file: link });
  chmodSync(secret, 0o644);
  assert.throws(() => place.token(secret, never), { code: "refused" }, "others can read it");
  assert.throws(() => place.token(join(folder, "missing"), never), { code: "not_found" });
  assert.ok(!existsSync(join(folder, "missing")));
});

for (const [text, why] of [
  ["", "an empty secret"],
  ["short", "one that can be guessed"],
  ["two words of a token", "one that no header carries"],
  ["a".repeat(5_000), "a whole document"],
] as const)
  test(`${why} is no token`, () => {
    const file = join(folder, "wrong");
    writeFileSync(file, text, { mode: 0o600 });
    assert.throws(() => place.token(file, () => TOKEN), { code: text.length > 4_096 ? "refused" : "invalid_input" });
  });

test("what only root can write is a secret that was mounted", () => {
  const [us, root] = [process.getuid!(), 0];
  assert.equal(readSecret("/etc/hostname", { uid: us + 1, gid: 1 }), readFileSync("/etc/hostname", "utf8"));
  assert.equal(statSync("/etc/hostname").uid, root);
});

test("the note is private and goes with the server", () => {
  const note = { url: "http://127.0.0.1:1/", pageUrl: "https://stele.example/", pid: 1, tokenFile: "t", key: "k" };
  assert.equal(place.read(), null);
  place.write(note);
  assert.deepEqual(place.read(), note);
  assert.equal(statSync(join(folder, "home", "run", "http.json")).mode & 0o777, 0o600);
  place.clear();
  assert.equal(place.read(), null);
});
