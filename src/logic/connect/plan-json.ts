/** Plans how a JSON configuration gets our entries, and how it loses them. Foreign entries are never changed. */
import type { Undo } from "../../model/connect/connection.ts";
import type { Program, Wanted, WantedFile } from "../../model/connect/host.ts";
import { HOME_VARIABLE, lacksHome, withHomeWords } from "./carried-home.ts";
import { commandLine } from "./command-line.ts";
import { addJson, removeJson, replaceJson } from "./edit-json.ts";
import { ledAs } from "./http-entries.ts";
import { lineEndOf } from "./json-layout.ts";
import { type JsonNode, isFault, jsonValue, memberOf, nodeAt, readJson } from "./json-text.ts";
import { type Planned, refused } from "./planned.ts";
import { type Started, isCurrent, startedBy } from "./recognise.ts";

type Path = (string | number)[];

/** An entry of ours: where its command stands, and what to remove with it. */
export interface Found {
  path: Path;
  /** A group that holds nothing else goes with its only hook. */
  whole: Path;
  started: Started;
}

const NOT_CHANGED = "Nothing was changed. Correct it, then run this again.";

export function planJson(text: string | null, file: WantedFile, program: Program): Planned {
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
export function oursInJson(root: JsonNode, file: WantedFile): Found[] {
  const servers = file.entries.flatMap((wanted) => {
    const found = wanted.kind === "server" ? findWanted(root, wanted) : null;
    return found === null || typeof found === "string" ? [] : [found];
  });
  const takesHooks = file.entries.some(({ kind }) => kind === "hook");
  const lists = takesHooks ? (nodeAt(root, ["hooks"])?.items ?? []) : [];
  return [...servers, ...lists.flatMap(({ key }) => (key === null ? [] : hooksIn(root, ["hooks", key])))].reverse();
}

/** The text without our entries; null if nothing is left of a file that was made for them. */
export function withoutOurs(
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
