/** Plans for one configuration file, whatever its format. The result is read again before anybody may write it. */
import { wantedFiles } from "./agent-table.ts";
import type { Places, PrintedHostId, Program, Undo, Wanted, WantedFile } from "./connection.ts";
import {
  addJson,
  isFault,
  isObject,
  type Json,
  type JsonNode,
  jsonValue,
  lineEndOf,
  memberOf,
  nodeAt,
  readJson,
  removeJson,
  replaceJson,
} from "./json-text.ts";
import {
  commandLine,
  HOME_VARIABLE,
  isCurrent,
  lacksHome,
  ledAs,
  type Started,
  startedBy,
  withHomeWords,
} from "./recognise.ts";
import {
  addToml,
  findToml,
  removeToml,
  type TomlEntry,
  type TomlNode,
  writeTable,
  writeTomlString,
  writeTomlValue,
} from "./toml-text.ts";

/** What is planned for one configuration file. */
export type Planned = Change | Refused;

export interface Change {
  /** The new text; the old one if nothing changes. */
  text: string | null;
  /** How many entries are added. */
  added: number;
  /** Paths in entries of ours that lead to another installation, and are replaced. */
  stale: string[];
  /** Data folders in entries of ours that are replaced; "" where none was named. */
  homes: string[];
  undo: Undo;
}

interface Refused {
  refused: string;
  hint: string;
}

const refused = (message: string, hint: string): Refused => ({ refused: message, hint });
export const isRefused = (planned: Planned): planned is Refused => "refused" in planned;

/** Plans how a JSON configuration gets our entries, and how it loses them. Foreign entries are never changed. */
type Path = (string | number)[];

/** An entry of ours: where its command stands, and what to remove with it. */
interface Found {
  path: Path;
  /** A group that holds nothing else goes with its only hook. */
  whole: Path;
  started: Started;
}

const NOT_CHANGED = "Nothing was changed. Correct it, then run this again.";

function planJson(text: string | null, file: WantedFile, program: Program): Planned {
  const isBlank = text === null || text.replace("\ufeff", "").trim() === "";
  let now = isBlank ? (text?.startsWith("\ufeff") ? "\ufeff" : "") + `{}${lineEndOf(text ?? "")}` : text;
  const undo: Undo = { traces: [], constants: [], lead: "", blank: isBlank ? text : null };
  const [stale, homes] = [new Set<string>(), new Set<string>()];
  let added = 0;
  for (const wanted of file.entries) {
    const root = readJson(now);
    if (isFault(root)) return refused(`${file.path} cannot be changed: ${root.fault}.`, NOT_CHANGED);
    const trouble = troubleAt(root, wanted, file.path);
    if (trouble !== null) return refused(trouble, NOT_CHANGED);
    const found = findWanted(root, wanted);
    if (found === "foreign")
      return refused(
        `${file.path} already has a server named \`${wanted.key}\` that is not this program.`,
        "Nothing was changed. Rename or remove that server, then run this again.",
      );
    if (found === "there") continue;
    if (found === null) {
      const edited = addJson(now, wanted.path, wanted.key, wanted.value);
      now = edited.text;
      undo.traces.push(...edited.traces);
      if (wanted.kind === "constant") undo.constants.push(wanted.key!);
      else added += 1;
    } else {
      const { entry, node, home, url } = found.started;
      const led = wanted.kind === "server" ? ledAs(jsonValue(nodeAt(root, found.path)!), wanted.value) : null;
      if (led !== null) {
        stale.add(url ?? entry);
        now = replaceJson(now, found.path, led);
      }
      if (led !== null || url !== null) continue;
      if (!isCurrent(found.started, program)) {
        stale.add(entry === program.entry ? (node ?? "") : entry);
        now = updated(now, found, wanted, { file, program });
      }
      if (lacksHome(home, program.data)) {
        homes.add(home ?? "");
        now = withHome(now, found.path, wanted, { file, program });
      }
    }
  }
  const isChanged = added + stale.size + homes.size > 0;
  return { text: isChanged ? now : text, added, stale: [...stale], homes: [...homes], undo };
}

/** Why an entry cannot be put there; null if it can. */
function troubleAt(root: JsonNode, { path, key }: Wanted, file: string): string | null {
  let node: JsonNode | null = root;
  for (const [depth, name] of [null, ...path].entries()) {
    if (name !== null) node = memberOf(node!, name)?.node ?? null;
    if (node === null) return null;
    const kind = depth === path.length && key === null ? "array" : "object";
    const where = depth === 0 ? "The whole" : `\`${path.slice(0, depth).join(".")}\` in`;
    if (node.kind !== kind) return `${where} ${file} is not ${kind === "array" ? "a list" : "an object"}.`;
    const next = path[depth] ?? key;
    if (next !== null && node.items.filter((item) => item.key === next).length > 1)
      return `${file} has \`${[...path.slice(0, depth), next].join(".")}\` twice.`;
  }
  return null;
}

function findWanted(root: JsonNode, wanted: Wanted): Found | "foreign" | "there" | null {
  if (wanted.kind === "hook") {
    const isDigest = wanted.words[3] === "digest";
    const hooks = hooksIn(root, wanted.path).filter(({ started }) => (started.rest[1] === "digest") === isDigest);
    return hooks[0] ?? null;
  }
  const path = [...wanted.path, wanted.key!];
  const node = nodeAt(root, path);
  if (node === null) return null;
  if (wanted.kind === "constant") return "there";
  const started = startedBy(jsonValue(node));
  return started?.rest[0] === "mcp" ? { path, whole: path, started } : "foreign";
}

/** Our hooks in one list of hooks: alone, or in groups. */
function hooksIn(root: JsonNode, path: readonly string[]): Found[] {
  const list = nodeAt(root, path);
  if (list?.kind !== "array") return [];
  return list.items.flatMap(({ node }, at): Found[] => {
    const inner = nodeAt(node, ["hooks"]);
    const handlers = inner?.kind === "array" ? inner.items.map((item) => item.node) : [node];
    return handlers.flatMap((handler, index) => {
      const started = startedBy(jsonValue(handler));
      if (started?.rest[0] !== "hook") return [];
      const whole = [...path, at];
      const own = inner?.kind === "array" ? [...whole, "hooks", index] : whole;
      const isAlone = handlers.every((one) => startedBy(jsonValue(one))?.rest[0] === "hook");
      return [{ path: own, whole: isAlone ? whole : own, started }];
    });
  });
}

/** Points an entry to this installation; its other fields and words stay. */
function updated(
  text: string,
  found: Found,
  wanted: Wanted,
  { file, program }: { file: WantedFile; program: Program },
): string {
  const { started, path } = found;
  const root = readJson(text) as JsonNode;
  if (started.isLine) {
    const line = commandLine([program.node, program.entry, ...started.rest], file.shell);
    return replaceJson(text, [...path, "command"], line);
  }
  const command = nodeAt(root, [...path, "command"]);
  const entry = nodeAt(root, [...path, "args", 0]);
  if (command?.scalar !== started.node || entry?.scalar !== started.entry) return replaceJson(text, path, wanted.value);
  return replaceJson(replaceJson(text, [...path, "args", 0], program.entry), [...path, "command"], program.node);
}

/** Makes an entry name our data folder; everything else in it stays. */
function withHome(
  text: string,
  path: Path,
  wanted: Wanted,
  { file, program }: { file: WantedFile; program: Program },
): string {
  const home = program.data.path;
  const node = nodeAt(readJson(text) as JsonNode, path)!;
  if (wanted.kind === "server") {
    const variables = nodeAt(node, ["env"]);
    if (variables?.kind === "object" && memberOf(variables, HOME_VARIABLE) === null)
      return addJson(text, [...wanted.path, wanted.key!, "env"], HOME_VARIABLE, home).text;
    if (variables === null) return addJson(text, [...wanted.path, wanted.key!], "env", { [HOME_VARIABLE]: home }).text;
    return variables.kind === "object"
      ? replaceJson(text, [...path, "env", HOME_VARIABLE], home)
      : replaceJson(text, [...path, "env"], { [HOME_VARIABLE]: home });
  }
  const { runner, entry, rest, isLine } = startedBy(jsonValue(node))!;
  const words = [...runner, entry, ...withHomeWords(rest, home)];
  return isLine
    ? replaceJson(text, [...path, "command"], commandLine(words, file.shell))
    : replaceJson(text, [...path, "args"], words.slice(1));
}

/** Every entry of ours in a configuration of this shape, last first. */
function oursInJson(root: JsonNode, file: WantedFile): Found[] {
  const servers = file.entries.flatMap((wanted) => {
    const found = wanted.kind === "server" ? findWanted(root, wanted) : null;
    return found === null || typeof found === "string" ? [] : [found];
  });
  const takesHooks = file.entries.some(({ kind }) => kind === "hook");
  const lists = takesHooks ? (nodeAt(root, ["hooks"])?.items ?? []) : [];
  return [...servers, ...lists.flatMap(({ key }) => (key === null ? [] : hooksIn(root, ["hooks", key])))].reverse();
}

/** The text without our entries; null if nothing is left of a file that was made for them. */
function withoutOurs(
  text: string,
  file: WantedFile,
  undo: Undo,
  isOurFile: boolean,
): { text: string | null } | { fault: string } {
  let now = text;
  for (let root = readJson(now); ; root = readJson(now)) {
    if (isFault(root)) return root;
    const [last] = oursInJson(root, file);
    if (last === undefined) break;
    now = removeJson(now, last.whole, undo.traces);
  }
  if (now === text) return { text };
  const root = readJson(now) as JsonNode;
  const hadContent = !isOurFile && undo.blank === null;
  // Hooks that others have added since need them.
  if (hadContent || root.items.every(({ key }) => undo.constants.includes(key!)))
    for (const name of undo.constants) now = removeJson(now, [name], undo.traces);

  const isBare = now.replace("\ufeff", "").replace(/\s+/g, "") === "{}";
  if (isBare && isOurFile) return { text: null };
  return { text: isBare && undo.blank !== null ? undo.blank : now };
}

/** Plans how a TOML configuration gets our server, and how it loses it. */
type Table = { [key: string]: Json };

function planToml(text: string | null, file: WantedFile, program: Program): Planned {
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
  const started = startedInTable(found);
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
  const now = homes.length === 0 ? pointed : tomlWithHome(pointed, path, program.data.path);
  return { text: stale.length + homes.length === 0 ? text : now, added: 0, stale, homes, undo };
}

/** Points the entry to this installation; the rest of it stays if the paths can be found in it. */
function withProgram(text: string, found: TomlEntry, { path, key, value }: Wanted, program: Program): string {
  const [command, entry] = [found.nodeOf("command"), found.nodeOf("args")?.elements[0]];
  if (command == null || entry == null || entry.value !== startedInTable(found)!.entry)
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
function tomlWithHome(text: string, path: readonly string[], home: string): string {
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

function startedInTable({ value }: TomlEntry): Started | null {
  const started = isObject(value) ? startedBy(value) : null;
  return started?.rest[0] === "mcp" ? started : null;
}

function serverInToml(text: string, file: WantedFile): Started | "foreign" | null | { fault: string } {
  const [wanted] = file.entries;
  const found = findToml(text, [...wanted!.path, wanted!.key!]);
  if (found === null || isFault(found)) return found;
  return startedInTable(found) ?? "foreign";
}

/** The text without our server; null if nothing is left of a file that was made for it. */
function withoutServer(
  text: string,
  file: WantedFile,
  undo: Undo,
  isOurFile: boolean,
): { text: string | null } | { fault: string } {
  const [wanted] = file.entries;
  const found = findToml(text, [...wanted!.path, wanted!.key!]);
  if (found !== null && isFault(found)) return found;
  if (found === null || startedInTable(found) === null) return { text };
  const left = removeToml(text, found, undo.lead);
  return { text: isOurFile && left.trim() === "" ? null : left };
}

/** Adds what is missing and updates what leads to another installation. */
export function planConnect(text: string | null, file: WantedFile, program: Program): Planned {
  const plan = file.format === "toml" ? planToml : planJson;
  const planned = plan(text, file, program);
  if (isRefused(planned) || planned.text === null) return planned;
  const again = plan(planned.text, file, program);
  const isDone = !isRefused(again) && again.text === planned.text;
  return isDone
    ? planned
    : refused(`${file.path} cannot be changed safely.`, "Nothing was changed. Use `--print` and add it by hand.");
}

/** Removes our entries; null if nothing is left of a file that was made for them. */
export function planRemove(
  text: string,
  file: WantedFile,
  undo: Undo,
  isOurFile: boolean,
): { text: string | null } | { fault: string } {
  const remove = file.format === "toml" ? withoutServer : withoutOurs;
  const removed = remove(text, file, undo, isOurFile);
  if (isFault(removed) || removed.text === null) return removed;
  const left = removed.text === undo.blank ? [] : startedIn(removed.text, file);
  return isFault(left) || left.length > 0 ? { fault: "our entries cannot be removed from it safely" } : removed;
}

/** Every entry of ours that a configuration has, with the installation it starts. */
export function startedIn(text: string, file: WantedFile): Started[] | { fault: string } {
  if (file.format === "toml") {
    const found = serverInToml(text, file);
    if (found === null || found === "foreign") return [];
    return isFault(found) ? found : [found];
  }
  if (text.replace("\ufeff", "").trim() === "") return [];
  const root = readJson(text);
  return isFault(root) ? root : oursInJson(root, file).map(({ started }) => started);
}

/** What to write into a host's configuration by hand. */
interface Snippet {
  path: string;
  text: string;
}

export const snippetsFor = (host: PrintedHostId, program: Program, places: Places): Snippet[] =>
  wantedFiles(host, "user", program, places).map((file) => ({ path: file.path, text: snippet(file) }));

function snippet({ format, entries }: WantedFile): string {
  if (format === "json")
    return entries.reduce((text, { path, key, value }) => addJson(text, path, key, value).text, "{}");
  const blocks = entries.flatMap(({ kind, path, key, value }) => {
    if (!isObject(value)) return [];
    if (kind === "server") return [writeTable([...path, key!], value, "\n")];
    const lines = Object.entries({ event: path[1]!, ...value }).map(
      ([name, one]) => `${name} = ${writeTomlValue(one)}`,
    );
    return [["[[hooks]]", ...lines, ""].join("\n")];
  });
  return blocks.join("\n").trimEnd();
}
