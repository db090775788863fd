/**
 * Reports of hooks, sealed so that hooks need no key: anybody can seal to the public key, only the holder of the memory's key opens.
 *
 * An ephemeral key for each report (X25519), HKDF over both public keys, AES-256-GCM. The private key follows from the
 * memory's key, so there is nothing more to keep. Loaded only where the data folder is encrypted.
 */
import {
  createCipheriv,
  createDecipheriv,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from "node:crypto";
import { derived, type StoreKey } from "./store-key.ts";

const MARK = Buffer.from("stele sealed 1\n");
const POINT_BYTES = 32;
const TAG_BYTES = 16;
/** The key serves once, so the nonce need not vary. */
const NONCE = Buffer.alloc(12);
/** What comes before 32 bytes to make them a key, in the usual encoding. */
const PRIVATE_HEAD = Buffer.from("302e020100300506032b656e04220420", "hex");
const PUBLIC_HEAD = Buffer.from("302a300506032b656e032100", "hex");

const SEAL_BYTES = MARK.length + POINT_BYTES + TAG_BYTES;

/** What opens reports that were sealed for the holder of this key, and nothing else. */
export const reportsSecretOf = ({ hex }: StoreKey): Uint8Array => derived(Buffer.from(hex, "hex"), "stele reports");

const privateFrom = (secret: Uint8Array): KeyObject =>
  createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, secret]), format: "der", type: "pkcs8" });
const publicFrom = (point: Buffer): KeyObject =>
  createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, point]), format: "der", type: "spki" });
const pointOf = (key: KeyObject): Buffer => key.export({ format: "der", type: "spki" }).subarray(PUBLIC_HEAD.length);

/** The public key for reports to the holder of this key, as hexadecimal digits. */
export const reportsKeyOf = (key: StoreKey): string =>
  pointOf(createPublicKey(privateFrom(reportsSecretOf(key)))).toString("hex");

export function sealReport(text: string, reports: string): Buffer {
  const recipient = Buffer.from(reports, "hex");
  const { privateKey, publicKey } = generateKeyPairSync("x25519");
  const point = pointOf(publicKey);
  const secret = diffieHellman({ privateKey, publicKey: publicFrom(recipient) });
  const cipher = createCipheriv("aes-256-gcm", agreed(secret, point, recipient), NONCE);
  return Buffer.concat([MARK, point, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
}

export const isSealed = (bytes: Buffer): boolean => bytes.subarray(0, MARK.length).equals(MARK);

/** Null if it was sealed to another key, or altered. */
export function openReport(bytes: Buffer, secret: Uint8Array): string | null {
  if (bytes.length < SEAL_BYTES) return null;
  const point = bytes.subarray(MARK.length, MARK.length + POINT_BYTES);
  const privateKey = privateFrom(secret);
  try {
    const common = diffieHellman({ privateKey, publicKey: publicFrom(point) });
    const agreedKey = agreed(common, point, pointOf(createPublicKey(privateKey)));
    const cipher = createDecipheriv("aes-256-gcm", agreedKey, NONCE, { authTagLength: TAG_BYTES });
    cipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    const text = cipher.update(bytes.subarray(MARK.length + POINT_BYTES, -TAG_BYTES));
    return Buffer.concat([text, cipher.final()]).toString("utf8");
  } catch {
    return null;
  }
}

const agreed = (secret: Buffer, point: Buffer, recipient: Buffer): Buffer =>
  Buffer.from(hkdfSync("sha256", secret, Buffer.concat([point, recipient]), "stele report", 32));
