/**
 * Opens an export that an earlier version encrypted, chunk by chunk, with AES-256-GCM.
 *
 * Every file has a key of its own, which the header holds wrapped. What encrypts the chunks follows from that key and the header
 * together, so an altered header opens nothing. No byte is handed on before its chunk has proved to be whole.
 */
import { createDecipheriv, createHmac } from "node:crypto";
import { Failure } from "../errors.ts";
import {
  CHUNK_BYTES,
  chunker,
  type ExportSeal,
  LONGEST_HEADER_BYTES,
  nonceOf,
  readSealedHeader,
  SEALED_START,
  TAG_BYTES,
} from "../transfer/sealed-format.ts";
import { derived, type StoreKey } from "./store-key.ts";

const CIPHER = "aes-256-gcm";
const LINE_END = 0x0a;
const START = Buffer.from(SEALED_START);

type Bytes = AsyncIterable<Uint8Array>;

const wrappingKey = ({ hex }: StoreKey): Uint8Array => derived(Buffer.from(hex, "hex"), "stele export");
const contentKey = (fileKey: Uint8Array, header: Uint8Array): Buffer =>
  createHmac("sha256", fileKey).update("stele export content\n").update(header).digest();

/** Null if the seal was altered: its id says that this is the key. */
export const openByKey = ({ nonce, sealed }: Extract<ExportSeal, { by: "key" }>, key: StoreKey): Buffer | null =>
  decrypted(Buffer.from(sealed, "hex"), wrappingKey(key), Buffer.from(nonce, "hex"));

interface Opening {
  /** What an error names. */
  path: string;
  /** Whether what is not encrypted passes as it is. */
  mayBePlain: boolean;
  fileKeyOf(seal: ExportSeal, header: Buffer): Promise<Buffer | null>;
}

/** The content of an encrypted export. */
export async function* openedBytes(bytes: Bytes, { path, mayBePlain, fileKeyOf }: Opening): AsyncGenerator<Uint8Array> {
  let head = Buffer.alloc(0);
  let isPlain = false;
  let opener: ReturnType<typeof chunkOpener> | null = null;
  for await (const piece of bytes) {
    if (opener !== null) yield* opener.push(piece);
    else if (isPlain) yield piece;
    else {
      head = Buffer.concat([head, piece]);
      isPlain = !isStart(head);
      if (isPlain && !mayBePlain) throw notEncrypted(path);
      if (isPlain) yield head;
      const end = isPlain ? -1 : head.subarray(0, LONGEST_HEADER_BYTES).indexOf(LINE_END) + 1;
      if (end === 0 && head.length >= LONGEST_HEADER_BYTES) throw unreadable(path, "has a damaged header");
      if (end <= 0) continue;
      opener = chunkOpener(await contentKeyOf(head.subarray(0, end), { path, fileKeyOf }), path);
      yield* opener.push(head.subarray(end));
    }
  }
  if (opener !== null) yield opener.end();
  else if (!isPlain && head.length >= START.length) throw unreadable(path, ALTERED);
  else if (!isPlain && !mayBePlain) throw notEncrypted(path);
  else if (!isPlain) yield head;
}

/** Whether it begins like an encrypted export, as far as it goes. */
const isStart = (head: Buffer): boolean => {
  const length = Math.min(head.length, START.length);
  return head.subarray(0, length).equals(START.subarray(0, length));
};

async function contentKeyOf(header: Buffer, { path, fileKeyOf }: Pick<Opening, "path" | "fileKeyOf">): Promise<Buffer> {
  const seal = readSealedHeader(header.toString("utf8"));
  if ("fault" in seal) throw unreadable(path, seal.fault);
  const fileKey = await fileKeyOf(seal, header);
  if (fileKey === null) throw unreadable(path, ALTERED);
  return contentKey(fileKey, header);
}

function chunkOpener(key: Buffer, path: string) {
  const chunks = chunker(CHUNK_BYTES + TAG_BYTES);
  let index = 0;
  const open = (chunk: Uint8Array, isLast: boolean): Buffer => {
    const content = decrypted(chunk, key, nonceOf(index++, isLast));
    if (content === null) throw unreadable(path, ALTERED);
    return content;
  };
  return {
    push: (piece: Uint8Array) => chunks.push(piece).map((chunk) => open(chunk, false)),
    end: () => open(chunks.end(), true),
  };
}

/** Null if it was altered, or is not what this key and nonce encrypted. */
function decrypted(sealed: Uint8Array, key: Uint8Array, nonce: Uint8Array): Buffer | null {
  if (sealed.length < TAG_BYTES) return null;
  const cipher = createDecipheriv(CIPHER, key, nonce, { authTagLength: TAG_BYTES });
  cipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const content = cipher.update(sealed.subarray(0, -TAG_BYTES));
  try {
    return Buffer.concat([content, cipher.final()]);
  } catch {
    return null;
  }
}

const ALTERED = "was cut off or altered";

/** Somebody may have put it in the place of one that was. */
const notEncrypted = (path: string): Failure =>
  new Failure(
    "invalid_input",
    `${path} is not encrypted, although what opens it was named.`,
    "Nothing was imported. If it is meant to be plain, leave out --key-file and --passphrase-file.",
  );

const unreadable = (path: string, what: string): Failure =>
  new Failure("invalid_input", `${path} ${what}.`, "Nothing was imported. Take another copy of it, or export again.");
