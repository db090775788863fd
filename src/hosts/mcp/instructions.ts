/**
 * Instructions: what a client tells its model about this server, once.
 *
 * Facts from the catalog, most useful first; facts that would exceed the limit of two
 * kilobytes are left out. Never repeats the tools' own descriptions. A few tools need no list by topic.
 */
import { GROUPS, type AnyOperation, type Catalog } from "../../operations/operation.ts";

const LIMIT_BYTES = 2047;

export function instructions(
  shown: readonly AnyOperation[],
  { catalog, guidance }: { catalog: Pick<Catalog, "names">; guidance?: string | undefined },
): string {
  const hidden = catalog.names.length - shown.length;
  const facts = [
    guidance ?? "",
    ...(hidden > 0 ? [] : GROUPS).map((group) =>
      named(
        `About ${group}`,
        shown.filter((op) => op.group === group),
      ),
    ),
    named(
      "May ask a person first; accept a refusal",
      shown.filter((op) => op.question !== undefined),
    ),
    hidden > 0 ? `${hidden} more verbs are available on the command line: \`stele --help\`.` : "",
  ];
  let text = "";
  for (const fact of facts) {
    if (fact === "") continue;
    const longer = text === "" ? fact : `${text}\n${fact}`;
    if (Buffer.byteLength(longer) <= LIMIT_BYTES) text = longer;
  }
  return text;
}

function named(title: string, ops: readonly AnyOperation[]): string {
  return ops.length === 0 ? "" : `${title}: ${ops.map((op) => op.name).join(", ")}.`;
}
