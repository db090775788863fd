/** Plans for one configuration file, whatever its format. The result is read again before anybody may write it. */
import type { Undo } from "../../model/connect/connection.ts";
import type { Program, WantedFile } from "../../model/connect/host.ts";
import { isFault, readJson } from "./json-text.ts";
import { oursInJson, planJson, withoutOurs } from "./plan-json.ts";
import { planToml, serverInToml, withoutServer } from "./plan-toml.ts";
import { type Planned, isRefused, refused } from "./planned.ts";
import type { Started } from "./recognise.ts";

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
