/** Sealed reports: anybody can seal, only the key opens, and a key that is being changed loses none. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { isSealed, openReport, reportsKeyOf, reportsSecretOf, sealReport } from "../../src/encryption/reports.ts";
import { dropFormerSecret, keepFormerSecret, openSealed } from "../../src/encryption/seal-inbox.ts";
import { storeKeyOf } from "../../src/encryption/store-key.ts";
import { temporaryFolder } from "../store/temporary-folder.ts";

const { folder } = temporaryFolder("sealed");
const [key, other] = [7, 8].map((byte) => storeKeyOf(Buffer.alloc(32, byte))) as [
  ReturnType<typeof storeKeyOf>,
  ReturnType<typeof storeKeyOf>,
];
const TEXT = '{"text":"herons ü 鳥"}';

test("only the key opens what was sealed to it, and every seal differs", () => {
  const [one, two] = [sealReport(TEXT, reportsKeyOf(key)), sealReport(TEXT, reportsKeyOf(key))];
  assert.ok(isSealed(one) && !one.equals(two) && !one.includes("herons"));
  assert.equal(openReport(one, reportsSecretOf(key)), TEXT);
  assert.equal(openReport(one, reportsSecretOf(other)), null);
});

test("a report that was altered or cut off anywhere is not opened", () => {
  const sealed = sealReport(TEXT, reportsKeyOf(key));
  for (let at = "stele sealed 1\n".length; at < sealed.length; at += 1) {
    const altered = Buffer.from(sealed);
    altered[at]! ^= 4;
    assert.equal(openReport(altered, reportsSecretOf(key)), null, `byte ${at}`);
    assert.equal(openReport(sealed.subarray(0, at), reportsSecretOf(key)), null, `first ${at}`);
  }
});

test("while a key is being changed, the new one opens what was sealed to the former", () => {
  const sealed = sealReport(TEXT, reportsKeyOf(key));
  const spools = join(folder, "spool");
  assert.equal(openSealed(sealed, other, spools), null);
  keepFormerSecret(folder, key, reportsKeyOf(other));
  assert.equal(openSealed(sealed, other, spools), TEXT);
  assert.equal(openSealed(sealed, key, spools), TEXT);
  dropFormerSecret(folder);
  assert.equal(openSealed(sealed, other, spools), null);
});
