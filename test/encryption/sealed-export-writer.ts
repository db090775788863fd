/** Writes encrypted exports as the last version that did, so that they go on to open. Nothing in the program writes them. */
import { createCipheriv, createHmac, randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { readKeyFile, wrapKey } from "../../src/encryption/keys.ts";
import { derived, type StoreKey, storeKeyOf } from "../../src/encryption/store-key.ts";
import { CHUNK_BYTES, chunker, type ExportSeal, nonceOf, SEALED_FORMAT } from "../../src/transfer/sealed-format.ts";

/** The line, with its end. */
export const writeSealedHeader = (seal: ExportSeal): string =>
  `${JSON.stringify({ stele: "sealed export", format: SEALED_FORMAT, seal })}\n`;

export function sealToKey(fileKey: Uint8Array, key: StoreKey): ExportSeal {
  const nonce = randomBytes(12);
  const wrapping = derived(Buffer.from(key.hex, "hex"), "stele export");
  const sealed = encrypted(fileKey, wrapping, nonce).toString("hex");
  return { by: "key", id: key.id, nonce: nonce.toString("hex"), sealed };
}

export async function* sealedBytes(
  bytes: AsyncIterable<Uint8Array>,
  fileKey: Uint8Array,
  seal: ExportSeal,
): AsyncGenerator<Buffer> {
  const header = Buffer.from(writeSealedHeader(seal));
  const key = createHmac("sha256", fileKey).update("stele export content\n").update(header).digest();
  const chunks = chunker(CHUNK_BYTES);
  let index = 0;
  yield header;
  for await (const piece of bytes) {
    for (const chunk of chunks.push(piece)) yield encrypted(chunk, key, nonceOf(index++, false));
  }
  yield encrypted(chunks.end(), key, nonceOf(index, true));
}

/** Encrypts a plain export to the key in a file, or to a passphrase. */
export async function sealFile(
  plain: string,
  target: string,
  to: { keyFile: string } | { passphrase: string },
): Promise<void> {
  const fileKey = randomBytes(32);
  const seal: ExportSeal =
    "keyFile" in to
      ? sealToKey(fileKey, storeKeyOf(readKeyFile(to.keyFile, "")))
      : { by: "passphrase", ...(await wrapKey(fileKey, to.passphrase)) };
  await writeFile(target, sealedBytes(createReadStream(plain), fileKey, seal), { mode: 0o600 });
}

function encrypted(content: Uint8Array, key: Uint8Array, nonce: Uint8Array): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, nonce);
  return Buffer.concat([cipher.update(content), cipher.final(), cipher.getAuthTag()]);
}
