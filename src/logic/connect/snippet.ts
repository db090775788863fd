/** What to write into a host's configuration by hand. */
import type { Places, PrintedHostId, Program, WantedFile } from "../../model/connect/host.ts";
import { isObject } from "../../model/connect/json.ts";
import { addJson } from "./edit-json.ts";
import { writeTable, writeTomlValue } from "./edit-toml.ts";
import { wantedFiles } from "./wanted-entries.ts";

export interface Snippet {
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
