/**
 * The recovery sheet: the key in a form that a person can write down and type again.
 *
 * Eight groups, each of eight digits of the key and two that check them, so that a mistake is found in its group.
 */
import type { StoreKey } from "./store-key.ts";

const GROUPS = 8;
const DIGITS = 8;
const CHECK_DIGITS = 2;

/** The sheet as it is shown. */
export function sheetLines({ id, hex }: StoreKey): string[] {
  const groups = sheetGroups(hex);
  return [
    `Recovery sheet of the Stele key ${id}. Whoever reads it can read the memory.`,
    ...[0, 2, 4, 6].map((at) => `    ${groups.slice(at, at + 2).join("   ")}`),
    "If the key is lost: `stele rekey --from-sheet`, then type all groups in one line.",
  ];
}

export function sheetGroups(hex: string): string[] {
  return Array.from({ length: GROUPS }, (_, index) => {
    const digits = hex.slice(index * DIGITS, (index + 1) * DIGITS);
    return `${digits.slice(0, 4)}-${digits.slice(4)}-${checkOf(digits, index)}`;
  });
}

/** The key's digits, or the number of the first group that is wrong (from 1), or 0 if there are too few or too many. */
export function readSheet(text: string): string | number {
  const typed = text.toLowerCase().replace(/[^0-9a-z]/g, "");
  if (typed.length !== GROUPS * (DIGITS + CHECK_DIGITS)) return 0;
  let key = "";
  for (let index = 0; index < GROUPS; index += 1) {
    const group = typed.slice(index * (DIGITS + CHECK_DIGITS), (index + 1) * (DIGITS + CHECK_DIGITS));
    const digits = group.slice(0, DIGITS);
    if (!/^[0-9a-f]+$/.test(digits) || group.slice(DIGITS) !== checkOf(digits, index)) return index + 1;
    key += digits;
  }
  return key;
}

/**
 * A prime: a sum of digits with weights that it does not divide differs after every single wrong digit and after every
 * swap of two, and so does one that counts the group too after a swap of groups.
 */
const MODULUS = 251;
const BASE = 3;
const GROUP_STEP = 37;

function checkOf(digits: string, index: number): string {
  const sum = [...digits].reduce((total, digit) => (total * BASE + Number.parseInt(digit, 16)) % MODULUS, 0);
  return ((sum * BASE + GROUP_STEP * index) % MODULUS).toString(16).padStart(CHECK_DIGITS, "0");
}
