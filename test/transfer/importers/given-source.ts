/** The sources of these tests: small stores of other tools. The documents say which were made by running the tool. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type {
  ForeignFile,
  ForeignMemory,
  ForeignReading,
  Reading,
} from "../../../src/transfer/importers/foreign-memory.ts";

const folder = fileURLToPath(new URL("./sources", import.meta.url));

export const sourcePath = (name: string): string => join(folder, name);
export const source = (name: string): string => readFileSync(sourcePath(name), "utf8");

export const notes = (): ForeignFile[] =>
  readdirSync(sourcePath("basic-memory"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .sort()
    .map((name) => ({ name: name.replaceAll("\\", "/"), text: source(join("basic-memory", name)) }));

export function sound(reading: Reading): ForeignReading {
  if ("fault" in reading) throw new Error(reading.fault);
  return reading;
}

/** What matters of a memory, on one line. */
export const told = ({ type, title, content, tags, createdAt }: ForeignMemory): string =>
  [type, title ?? "–", content, tags.join(","), createdAt === null ? "–" : new Date(createdAt).toISOString()].join(
    " | ",
  );
