/**
 * Decides whether `prefix_…` is a token that some service issued, whoever that is.
 *
 * Ids, digests and names have the same form. Three things tell them apart: what the words of the prefix say, how long
 * the rest is (ids are short), and how random. Refused: what may be a digest after words that say nothing.
 */
import { isPlaceholder, readsLikeWords } from "./secret-likeness.ts";
import { wordSet } from "./secret-names.ts";

/** These say that a secret follows, the first few even before a digest. */
const CERTAIN = wordSet("key apikey sk pat token secret");
const TELLING = wordSet(`
  key apikey sk pat token secret tkn tok sec seckey api live auth oauth access private priv oat sat rt cred creds
  credential credentials pass pw password bearer license`);
/** These say what follows instead: something public, a digest, an id, a file. */
const HARMLESS = wordSet(`
  pk pub public publishable anon phc cert id ids uuid guid ulid
  sha sha1 sha224 sha256 sha384 sha512 md5 blake2b blake3 hash hashed digest checksum integrity etag crc nonce boundary
  commit rev revision ref branch merge revert tag release version snapshot build cache chunk layer blob object obj
  file files image img photo video audio font icon asset assets css style styles bundle webpack vendor module modules
  index tmp temp trace span run job task step node pod container device host rule policy
  toolu srvtoolu msg message req request resp response call chatcmpl cmpl rs item event evt thread asst batch vs conv
  session sess turn user usr account acct org team project proj prj workspace ws dpl deployment cus customer sub price
  product prod plan order inv invoice charge ch pi pm cs seti si txn card`);

const PREFIX_WORDS = 4;
const WORD = /^[a-z]{1,12}\d{0,3}$/;

/** How long the rest must be, by its alphabet, after words that tell and after others. */
const LEAST = {
  hex: { told: 32, untold: 57 },
  oneCase: { told: 24, untold: 30 },
  bothCases: { told: 20, untold: 30 },
};

export function isIssuedToken(token: string): boolean {
  const { words, rest } = partsOf(token);
  if (words.length === 0 || words.some((word) => HARMLESS.has(word))) return false;
  const told = words.some((word) => TELLING.has(word.replace(/\d+$/, "")));
  // Words in between say nothing of the rest, as in the keys of caches.
  const letters = rest.replace(/(?<![^-_])[a-z]{3,12}(?![^-_])|[-_+/=]/g, "");
  const alphabet = alphabetOf(letters);
  if (alphabet === null || letters.length < LEAST[alphabet][told ? "told" : "untold"]) return false;
  // Digests are named `web-api-3f2a…`; after an underscore, or a word that means nothing else, they are rare.
  if (alphabet === "hex" && !token.endsWith(`_${letters}`) && !words.some((word) => CERTAIN.has(word))) return false;
  // Many short pieces are a name, whatever they are made of.
  if (Math.max(...rest.split(/[-_+/]/).map(({ length }) => length)) < letters.length / 4) return false;
  return isMixed(letters, alphabet) && !readsLikeWords(rest) && !isPlaceholder(token);
}

/** The words that a token begins with, and what follows them. */
function partsOf(token: string): { words: string[]; rest: string } {
  const pieces = token.split(/[-_]/);
  let count = 0;
  while (count < PREFIX_WORDS && count < pieces.length - 1 && WORD.test(pieces[count]!)) count += 1;
  const words = pieces.slice(0, count);
  return { words, rest: token.slice(words.join("-").length + 1) };
}

function alphabetOf(letters: string): keyof typeof LEAST | null {
  if (/^[0-9a-f]+$/i.test(letters) && /\d/.test(letters)) return "hex";
  if (!/\d/.test(letters)) return null;
  return /[a-z]/.test(letters) && /[A-Z]/.test(letters) ? "bothCases" : "oneCase";
}

/** The share of neighbours of different kinds: about .62 among random letters of both cases, .3 in names of code. */
const LEAST_CHANGES = { hex: 0.25, oneCase: 0.2, bothCases: 0.4 };

function isMixed(letters: string, alphabet: keyof typeof LEAST): boolean {
  let changes = 0;
  for (let at = 1; at < letters.length; at++)
    if (kindOf(letters.charCodeAt(at)) !== kindOf(letters.charCodeAt(at - 1))) changes += 1;
  return changes / (letters.length - 1) >= LEAST_CHANGES[alphabet];
}

const kindOf = (code: number): number => (code < 58 ? 0 : code < 91 ? 1 : 2);
