/** Plans how a TOML configuration gets our server, and how it loses it. */
import type { Undo } from "../../model/connect/connection.ts";
import type { Program, WantedFile } from "../../model/connect/host.ts";
import { type Json, isObject } from "../../model/connect/json.ts";
import { type TomlEntry, addToml, findToml, removeToml, writeTable } from "./edit-toml.ts";
import { isFault } from "./json-text.ts";
import { type Planned, refused } from "./planned.ts";
import { type Started, isCurrent, startedBy } from "./recognise.ts";
import { type TomlNode, writeTomlString } from "./toml-text.ts";

export function planToml(text: string | null, file: WantedFile, program: Program): Planned {
  const before = text ?? "";
  const [wanted] = file.entries;
  const path = [...wanted!.path, wanted!.key!];
  const value = wanted!.value as { [key: string]: Json };
  const undo: Undo = { traces: [], constants: [], lead: "", blank: null };
  const found = findToml(before, path);
  if (found !== null && isFault(found)) {
    const byHand = writeTable(path, value, "\n").trimEnd();
    return refused(
      `${file.path} cannot be changed: ${found.fault}.`,
      `Nothing was changed. Add this by hand:\n${byHand}`,
    );
  }
  if (found === null) {
    const added = addToml(before, path, value);
    return { text: added.text, added: 1, stale: [], undo: { ...undo, lead: added.lead } };
  }
  const started = startedIn(found);
  if (started === null)
    return refused(
      `${file.path} already has a server named \`${wanted!.key}\` that is not this program.`,
      "Nothing was changed. Rename or remove that server, then run this again.",
    );
  if (isCurrent(started, program)) return { text, added: 0, stale: [], undo };
  const [command, entry] = [found.nodeOf("command"), found.nodeOf("args")?.elements[0]];
  const stale = [started.entry === program.entry ? (started.node ?? "") : started.entry];
  if (command == null || entry == null || entry.value !== started.entry) {
    const without = removeToml(before, found, "");
    return { text: addToml(without, path, value).text, added: 0, stale, undo };
  }
  const edits: [TomlNode, string][] = [
    [command, program.node],
    [entry, program.entry],
  ];
  edits.sort(([a], [b]) => b.start - a.start);
  const now = edits.reduce(
    (all, [node, word]) => all.slice(0, node.start) + writeTomlString(word) + all.slice(node.end),
    before,
  );
  return { text: now, added: 0, stale, undo };
}

function startedIn({ value }: TomlEntry): Started | null {
  const started = isObject(value) ? startedBy(value) : null;
  return started?.rest[0] === "mcp" ? started : null;
}

export function serverInToml(text: string, file: WantedFile): Started | "foreign" | null | { fault: string } {
  const [wanted] = file.entries;
  const found = findToml(text, [...wanted!.path, wanted!.key!]);
  if (found === null || isFault(found)) return found;
  return startedIn(found) ?? "foreign";
}

/** The text without our server; null if nothing is left of a file that was made for it. */
export function withoutServer(
  text: string,
  file: WantedFile,
  undo: Undo,
  isOurFile: boolean,
): { text: string | null } | { fault: string } {
  const [wanted] = file.entries;
  const found = findToml(text, [...wanted!.path, wanted!.key!]);
  if (found !== null && isFault(found)) return found;
  if (found === null || startedIn(found) === null) return { text };
  const left = removeToml(text, found, undo.lead);
  return { text: isOurFile && left.trim() === "" ? null : left };
}
