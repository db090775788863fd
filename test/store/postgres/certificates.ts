/**
 * Certificates for tests, made when they are needed: an authority, and what it signs.
 *
 * Node can read certificates and cannot make them, so the few structures of X.509 that a server needs are written here.
 */
import { generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import { isIPv4 } from "node:net";
import { DAY_MS } from "../../../src/time/calendar.ts";

/** As PEM. */
export interface Identity {
  certificate: string;
  key: string;
}

export interface Authority extends Identity {
  /** A server's certificate for these names and addresses. */
  certify(...names: string[]): Identity;
}

export function makeAuthority(name: string): Authority {
  const own = newKey();
  const certificate = certificateOf({ issuer: name, subject: name, key: own, signer: own, extension: IS_AUTHORITY });
  return {
    ...identityOf(certificate, own),
    certify(...names) {
      const key = newKey();
      const subject = { issuer: name, subject: names[0]!, key, signer: own, extension: alternativeNames(names) };
      return identityOf(certificateOf(subject), key);
    },
  };
}

interface KeyPair {
  publicKey: KeyObject;
  privateKey: KeyObject;
}

const newKey = (): KeyPair => generateKeyPairSync("ec", { namedCurve: "prime256v1" });

const identityOf = (certificate: Buffer, { privateKey }: KeyPair): Identity => ({
  certificate: `-----BEGIN CERTIFICATE-----\n${certificate.toString("base64")}\n-----END CERTIFICATE-----\n`,
  key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
});

const [BOOLEAN, INTEGER, BITS, OCTETS, TEXT, TIME, SEQUENCE, SET] = [1, 2, 3, 4, 12, 23, 0x30, 0x31];
const [DNS_NAME, ADDRESS, VERSION, EXTENSIONS] = [0x82, 0x87, 0xa0, 0xa3];

/** A value of DER: what it is, how long it is, and what it holds. */
function der(tag: number, ...parts: readonly Buffer[]): Buffer {
  const held = Buffer.concat(parts);
  const length = held.length < 128 ? [held.length] : [0x82, held.length >> 8, held.length & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), held]);
}

const bytes = (...values: number[]): Buffer => Buffer.from(values);
/** Identifiers of what is used here, as DER has them. */
const NAMED = {
  commonName: Buffer.from("0603550403", "hex"),
  constraints: Buffer.from("0603551d13", "hex"),
  alternativeName: Buffer.from("0603551d11", "hex"),
  ecdsaWithSha256: Buffer.from("06082a8648ce3d040302", "hex"),
};
const ALGORITHM = der(SEQUENCE, NAMED.ecdsaWithSha256);

const IS_AUTHORITY = der(
  SEQUENCE,
  ...[NAMED.constraints, der(BOOLEAN, bytes(255)), der(OCTETS, der(SEQUENCE, der(BOOLEAN, bytes(255))))],
);

const alternativeNames = (names: readonly string[]): Buffer =>
  der(SEQUENCE, NAMED.alternativeName, der(OCTETS, der(SEQUENCE, ...names.map(alternativeName))));

const alternativeName = (name: string): Buffer =>
  isIPv4(name) ? der(ADDRESS, bytes(...name.split(".").map(Number))) : der(DNS_NAME, Buffer.from(name));

const nameOf = (text: string): Buffer =>
  der(SEQUENCE, der(SET, der(SEQUENCE, NAMED.commonName, der(TEXT, Buffer.from(text)))));

const timeOf = (at: number): Buffer =>
  der(
    TIME,
    Buffer.from(
      `${new Date(at)
        .toISOString()
        .replace(/\.\d+|[-:T]/g, "")
        .slice(2)}`,
    ),
  );

interface Subject {
  issuer: string;
  subject: string;
  key: KeyPair;
  signer: KeyPair;
  extension: Buffer;
}

function certificateOf({ issuer, subject, key, signer, extension }: Subject): Buffer {
  const content = der(
    SEQUENCE,
    der(VERSION, der(INTEGER, bytes(2))),
    der(INTEGER, bytes(1), randomBytes(8)),
    ALGORITHM,
    nameOf(issuer),
    der(SEQUENCE, timeOf(Date.now() - DAY_MS), timeOf(Date.now() + DAY_MS)),
    nameOf(subject),
    key.publicKey.export({ type: "spki", format: "der" }),
    der(EXTENSIONS, der(SEQUENCE, extension)),
  );
  return der(SEQUENCE, content, ALGORITHM, der(BITS, bytes(0), sign("sha256", content, signer.privateKey)));
}
