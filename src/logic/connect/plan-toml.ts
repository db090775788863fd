/** Plans how a TOML configuration gets our server, and how it loses it. */
import type { Undo } from "../../model/connect/connection.ts";
import type { Program, Wanted, WantedFile } from "../../model/connect/host.ts";
import { type Json, isObject } from "../../model/connect/json.ts";
import { HOME_VARIABLE, lacksHome } from "./carried-home.ts";
import { type TomlEntry, addToml, findToml, removeToml, writeTable, writeTomlValue } from "./edit-toml.ts";
import { ledAs } from "./http-entries.ts";
import { lineEndOf } from "./json-layout.ts";
import { isFault } from "./json-text.ts";
import { type Planned, refused } from "./planned.ts";
import { type Started, isCurrent, startedBy } from "./recognise.ts";
import { type TomlNode, writeTomlString } from "./toml-text.ts";

type Table = { [key: string]: Json };

export function planToml(text: string | null, file: WantedFile, program: Program): Planned {
  const before = text ?? "";
  const [wanted] = file.entries;
  const path = [...wanted!.path, wanted!.key!];
  const value = wanted!.value as Table;
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
    return { text: added.text, added: 1, stale: [], homes: [], undo: { ...undo, lead: added.lead } };
  }
  const started = startedIn(found);
  if (started === null)
    return refused(
      `${file.path} already has a server named \`${wanted!.key}\` that is not this program.`,
      "Nothing was changed. Rename or remove that server, then run this again.",
    );
  const led = ledAs(found.value, value);
  if (led !== null) {
    const now = addToml(removeToml(before, found, lineEndOf(before)), path, led).text;
    return { text: now, added: 0, stale: [started.url ?? started.entry], homes: [], undo };
  }
  if (started.url !== null) return { text, added: 0, stale: [], homes: [], undo };
  const stale = isCurrent(started, program)
    ? []
    : [started.entry === program.entry ? (started.node ?? "") : started.entry];
  const homes = lacksHome(started.home, program.data) ? [started.home ?? ""] : [];
  const pointed = stale.length === 0 ? before : withProgram(before, found, wanted!, program);
  const now = homes.length === 0 ? pointed : withHome(pointed, path, program.data.path);
  return { text: stale.length + homes.length === 0 ? text : now, added: 0, stale, homes, undo };
}

/** Points the entry to this installation; the rest of it stays if the paths can be found in it. */
function withProgram(text: string, found: TomlEntry, { path, key, value }: Wanted, program: Program): string {
  const [command, entry] = [found.nodeOf("command"), found.nodeOf("args")?.elements[0]];
  if (command == null || entry == null || entry.value !== startedIn(found)!.entry)
    return addToml(removeToml(text, found, ""), [...path, key!], value as Table).text;
  const edits: [TomlNode, string][] = [
    [command, program.node],
    [entry, program.entry],
  ];
  edits.sort(([a], [b]) => b.start - a.start);
  return edits.reduce(
    (all, [node, word]) => all.slice(0, node.start) + writeTomlString(word) + all.slice(node.end),
    text,
  );
}

/** Makes the entry name our data folder. It is written anew only where its variables stand in a form of their own. */
function withHome(text: string, path: readonly string[], home: string): string {
  const found = findToml(text, path) as TomlEntry;
  const node =
    found.nodeOf("env")?.pairs.find(({ key }) => key.join(".") === HOME_VARIABLE)?.node ??
    found.statements.find((one) => one.path.slice(path.length).join(".") === `env.${HOME_VARIABLE}`)?.node;
  if (node != null) return text.slice(0, node.start) + writeTomlString(home) + text.slice(node.end);
  const command = found.statements.find((one) => one.path.slice(path.length).join(".") === "command");
  const { env = {}, ...rest } = found.value;
  if (command !== undefined && Object.keys(env as Table).length === 0 && found.nodeOf("env") === null) {
    const line = `env = ${writeTomlValue({ [HOME_VARIABLE]: home })}${lineEndOf(text)}`;
    return text.slice(0, command.start) + line + text.slice(command.start);
  }
  const value = { ...rest, env: { ...(env as Table), [HOME_VARIABLE]: home } };
  return addToml(removeToml(text, found, ""), path, value).text;
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
