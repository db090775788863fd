/**
 * Proofs of knowing the key, which itself never travels.
 *
 * Each side answers the other's random number together with its own, under its own role: a proof can be neither
 * replayed nor sent back to whoever made it. Loading `node:crypto` would take a command longer than all of this.
 */
import { hmacSha256 } from "../../../logic/text/sha256.ts";

export type Role = "owner" | "client";

/** What both sides have said before a proof. */
export interface Greeting {
  readonly protocol: number;
  readonly clientNonce: Uint8Array;
  readonly ownerNonce: Uint8Array;
  readonly identity: string;
  readonly dimensions: number;
}

export function prove(role: Role, key: Uint8Array, greeting: Greeting): Buffer {
  const { protocol, clientNonce, ownerNonce, identity, dimensions } = greeting;
  // The numbers have a fixed length and the only text comes last, so no two greetings give the same bytes.
  const head = Buffer.from(`stele model ${role} ${protocol} ${dimensions}\n`);
  return Buffer.from(hmacSha256(key, Buffer.concat([head, clientNonce, ownerNonce, Buffer.from(identity)])));
}

export function isProof(said: Uint8Array, role: Role, key: Uint8Array, greeting: Greeting): boolean {
  const right = prove(role, key, greeting);
  return said.length === right.length && differences(said, right) === 0;
}

/** Looks at every byte, so that the time it takes tells nothing about where two differ. */
function differences(one: Uint8Array, other: Uint8Array): number {
  let found = 0;
  for (let at = 0; at < one.length; at++) found |= one[at]! ^ other[at]!;
  return found;
}
