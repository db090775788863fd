/**
 * Keys that code hands to a service: as a text among the arguments of a call, or by a variable that was given the text
 * above, whatever its name.
 *
 * Refused: what may be a digest or an id, and calls of anything but a known service or the network.
 */
import { isHandedKey } from "../secret-likeness.ts";
import { SERVICES, wordsOf } from "../secret-names.ts";
import { CONTEXT_CHARACTERS, type Found, LONGEST_LINE, type SecretFinder } from "./secret-finder.ts";

/** What calls services by their address. */
const NETWORK: ReadonlySet<string> = new Set(["http", "https", "httpx", "requests", "axios", "fetch", "curl"]);

const ASSIGNED =
  /(?<![\w.])(?<name>[A-Za-z_]\w{0,40})[ \t]{0,8}(?::[ \t]{0,2}\w{1,20}[ \t]{0,2})?:?=[ \t]{0,4}["'\x60](?<secret>[A-Za-z0-9/.:-]{24,200})["'\x60]/dg;
const CALL = /(?<![\w.])(?<callee>[A-Za-z_][\w.]{1,60})\((?<arguments>[^()\n]{1,400})/dg;
const TEXT = /["'\x60](?<secret>[A-Za-z0-9/.:-]{24,200})["'\x60]/dg;
const WORD = /(?<![\w."'\x60-])[A-Za-z_]\w{0,40}(?![\w."'\x60(-])/g;

export const serviceCallFinder: SecretFinder = {
  name: "service-call",
  keywords: [...SERVICES, ...NETWORK],
  find(lines) {
    const found: Found[] = [];
    const given = new Map<string, Found>();
    for (const { start, text } of lines) {
      if (text.length > LONGEST_LINE) continue;
      for (const match of text.matchAll(CALL)) {
        const { callee, arguments: passed } = match.groups as { callee: string; arguments: string };
        const parts = wordsOf(callee);
        const isService = parts.some((part) => SERVICES.has(part));
        if (!isService && !parts.some((part) => NETWORK.has(part))) continue;
        const from = start + match.indices!.groups!["arguments"]![0];
        if (isService) found.push(...keysIn(TEXT, passed, from).map(([, place]) => place));
        for (const [word] of passed.matchAll(WORD)) {
          const place = given.get(word);
          if (place !== undefined && from - place.start < CONTEXT_CHARACTERS) found.push(place);
        }
      }
      for (const [name, place] of keysIn(ASSIGNED, text, start)) given.set(name, place);
    }
    return found;
  },
};

function keysIn(pattern: RegExp, text: string, from: number): [name: string, place: Found][] {
  return [...text.matchAll(pattern)]
    .filter(({ groups }) => isHandedKey(groups!["secret"]!))
    .map(({ groups, indices }) => {
      const [start, end] = indices!.groups!["secret"]!;
      return [groups!["name"] ?? "", { start: from + start, end: from + end }];
    });
}
