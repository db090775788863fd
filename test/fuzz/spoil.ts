/** A copy of a file that a verb wrote, spoilt as a disk, an editor or an attacker would spoil it. */
import { lstatSync, readFileSync, writeFileSync } from "node:fs";
import fc from "fast-check";
import { hostileText } from "./strings.ts";

const LIMIT_BYTES = 500_000;

interface Harm {
  kind: "cut" | "flip" | "drop" | "repeat" | "swap" | "value" | "field" | "stranger";
  where: number;
  deeper: number;
  value: unknown;
}

const VALUES = [
  null,
  true,
  -1,
  0,
  1.5,
  1e99,
  2 ** 53,
  "",
  "\ud800",
  "a\0b",
  [],
  {},
  [[]],
  { item: null },
  "x".repeat(5_000),
];

const harms: fc.Arbitrary<Harm[]> = fc.array(
  fc.record({
    kind: fc.constantFrom("cut", "flip", "drop", "repeat", "swap", "value", "value", "value", "field", "stranger"),
    where: fc.noBias(fc.nat(1_000_000)),
    deeper: fc.noBias(fc.nat(1_000_000)),
    value: fc.oneof(fc.constantFrom<unknown>(...VALUES), hostileText),
  }),
  { minLength: 1, maxLength: 3 },
);

/** The path of the copy, or null where there is nothing to copy. */
export function spoil(path: string, seed: number): string | null {
  // Not through a link, which may lead round in a circle.
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (!found?.isFile() || found.size === 0 || found.size > LIMIT_BYTES) return null;
  const [drawn] = fc.sample(harms, { seed, numRuns: 1 }) as [Harm[]];
  const copy = path.endsWith(".spoilt") ? path : `${path}.spoilt`;
  writeFileSync(copy, drawn.reduce(harmed, readFileSync(path)));
  return copy;
}

function harmed(bytes: Buffer, { kind, where, deeper, value }: Harm): Buffer {
  if (kind === "cut") return bytes.subarray(0, where % (bytes.length + 1));
  if (kind === "flip")
    return Buffer.from(bytes.map((byte, index) => (index === where % bytes.length ? byte ^ 0x15 : byte)));
  const lines = bytes.toString().split("\n");
  const index = where % lines.length;
  const line = lines[index]!;
  if (kind === "drop") lines.splice(index, 1);
  else if (kind === "repeat") lines.splice(deeper % lines.length, 0, line);
  else if (kind === "swap") [lines[index], lines[deeper % lines.length]] = [lines[deeper % lines.length]!, line];
  else lines[index] = rewritten(line, kind, deeper, value);
  return Buffer.from(lines.join("\n"));
}

/** The line with one of its values replaced, one of its fields gone, or one more. */
function rewritten(line: string, kind: Harm["kind"], deeper: number, value: unknown): string {
  const whole = fromJson(line);
  const objects = objectsIn(whole);
  const target = objects[deeper % Math.max(1, objects.length)];
  if (target === undefined) return JSON.stringify(value) ?? "";
  const names = Object.keys(target);
  const name = names[Math.floor(deeper / objects.length) % Math.max(1, names.length)] ?? "new";
  if (kind === "field") delete target[name];
  else
    Object.defineProperty(target, kind === "stranger" ? "__proto__" : name, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  return JSON.stringify(whole);
}

function fromJson(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

function objectsIn(value: unknown): Record<string, unknown>[] {
  if (typeof value !== "object" || value === null) return [];
  return [value as Record<string, unknown>, ...Object.values(value).flatMap(objectsIn)];
}
