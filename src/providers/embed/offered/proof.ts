/**
 * Proofs of knowing the key, which itself never travels.
 *
 * Each side answers the other's random number together with its own, under its own role: a proof can be neither
 * replayed nor sent back to whoever made it.
 */
import { createHmac, timingSafeEqual } from "node:crypto";

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
  return createHmac("sha256", key)
    .update(`stele model ${role} ${protocol} ${dimensions}\n`)
    .update(clientNonce)
    .update(ownerNonce)
    .update(identity)
    .digest();
}

export function isProof(said: Uint8Array, role: Role, key: Uint8Array, greeting: Greeting): boolean {
  const right = prove(role, key, greeting);
  return said.length === right.length && timingSafeEqual(said, right);
}
