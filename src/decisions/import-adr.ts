/**
 * Imports decision records: each file becomes a proposal, and its text the evidence for it.
 *
 * A file shows what was once written, not that a person here agrees, so even an accepted record
 * must be ratified. Which record supersedes which is read from all files together.
 */
import { basename, join } from "node:path";
import { Failure } from "../errors.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import type { Item, Status } from "../memory/item.ts";
import { passagesOf } from "../memory/passages.ts";
import { planRemember } from "../memory/remember-rules.ts";
import { type Redaction, redactor } from "../redaction/redact.ts";
import { TEXT_LIMIT_BYTES } from "../text/text.ts";
import { readMoment, type TimeWorld } from "../time/read-time.ts";
import type { DraftWorld, World } from "../world.ts";
import { type Adr, readAdr } from "./adr.ts";
import { keepEvidence } from "./evidence.ts";
import { draftOf, type ProposalDraft, ROUTE } from "./propose.ts";
import { subjectKey } from "./subject.ts";

const FILES_LIMIT = 2_000;
const KNOWN_LIMIT = 100_000;
/** Records with one of these statuses are imported as rejected; the others become pending. */
const TURNED_DOWN: readonly Adr["status"][] = ["rejected", "deprecated"];

interface ImportedAdr {
  path: string;
  id: string;
  subject: string;
  /** The status given in the record. */
  recorded: Adr["status"];
  /** `known`: was imported or proposed before, and is left unchanged. */
  status: "proposed" | "rejected" | "known";
}

interface ImportAdrAnswer {
  items: ImportedAdr[];
  skipped: { path: string; reason: string }[];
  redactions: Redaction[];
}

interface AdrFile {
  path: string;
  text: string;
  adr: Adr;
  /** The beginning of its day, by the person's clock. */
  at: number | undefined;
  draft: ProposalDraft;
}

export async function importAdr(
  path: string,
  world: DraftWorld & TimeWorld & Pick<World, "files">,
): Promise<ImportAdrAnswer> {
  const { clean, redactions } = redactor();
  const { read, skipped } = await readAll(await pathsIn(world.files.resolve(path), world), clean, world);
  const evidence = new Map<string, string>();
  for (const { path: file, text, at } of read) {
    clean(text);
    evidence.set(file, (await keepEvidence({ turns: [{ text }], text, title: basename(file), at }, world)).id);
  }
  const passages = await Promise.all(read.map(({ draft }) => passagesOf(draft, world)));
  const items = await commit(
    world.project,
    async () => {
      const known = await knownProposals(world);
      const ids = idsOf(read, known, world);
      const changes = read.flatMap((file, index) =>
        known.has(keyOf(file.draft)) ? [] : stagingOf(file, { ids, evidence, passages: passages[index]! }, world),
      );
      return { changes, answer: read.map((file) => outcomeOf(file, ids, known)) };
    },
    world,
  );
  return { items, skipped, redactions: redactions() };
}

/** The file, or the Markdown files of a folder. */
async function pathsIn(path: string, { files }: Pick<World, "files">): Promise<string[]> {
  const kind = await files.kindOf(path);
  if (kind === "file") return [path];
  if (kind !== "folder") {
    const what = kind === "absent" ? "does not exist" : "is neither a file nor a folder";
    throw new Failure(
      kind === "absent" ? "not_found" : "invalid_input",
      `${path} ${what}.`,
      "Name a record or its folder.",
    );
  }
  const names = (await files.names(path)).filter((name) => /\.(md|markdown)$/i.test(name));
  if (names.length > FILES_LIMIT)
    throw new Failure(
      "invalid_input",
      `${path} contains more than ${FILES_LIMIT} files.`,
      "Import some of them at a time.",
    );
  return names.map((name) => join(path, name));
}

async function readAll(
  paths: readonly string[],
  clean: (text: string) => string,
  world: TimeWorld & Pick<World, "place" | "files" | "origin">,
): Promise<{ read: AdrFile[]; skipped: ImportAdrAnswer["skipped"] }> {
  const read = new Map<string, AdrFile>();
  const skipped: ImportAdrAnswer["skipped"] = [];
  for (const path of paths) {
    const skip = (reason: string) => skipped.push({ path, reason });
    const text = await textOf(path, world);
    const reading = text instanceof Failure ? { reason: text.message } : readAdr(text, path);
    if (text instanceof Failure || "reason" in reading) {
      skip("reason" in reading ? reading.reason : "cannot be read");
      continue;
    }
    const at = await readMoment(reading.adr.date ?? undefined, "any", world);
    const draft = draftFrom(reading.adr, at, clean, world);
    const same = read.get(draft.hash);
    if (same) skip(`decides the same as ${basename(same.path)}`);
    else read.set(draft.hash, { path, text, adr: reading.adr, at, draft });
  }
  return { read: [...read.values()], skipped };
}

/** Returns the failure, so that one unreadable file does not stop the import. */
async function textOf(path: string, { files }: Pick<World, "files">): Promise<string | Failure> {
  return files.text(path, { fileBytes: TEXT_LIMIT_BYTES }).catch((thrown: unknown) => {
    if (thrown instanceof Failure) return thrown;
    throw thrown;
  });
}

function draftFrom(
  { subject, decision, rationale, rejected }: Adr,
  validFrom: number | undefined,
  clean: (text: string) => string,
  world: Pick<World, "place" | "origin">,
) {
  const wording = {
    subject,
    decision,
    rationale: rationale ?? undefined,
    rejected,
    evidence: [],
    supersedes: [],
    relates: [],
    tags: [],
  };
  return draftOf({ ...wording, validFrom }, clean, world);
}

const keyOf = ({ hash, title }: Pick<Item, "hash" | "title">): string => `${hash} ${subjectKey(title ?? "")}`;

/** Includes settled ones, so that a rejected proposal is not proposed again by the same file. */
async function knownProposals({ project, clock }: Pick<World, "project" | "clock">): Promise<Map<string, Item>> {
  const statuses: readonly Status[] = ["pending", "ratified", "rejected"];
  const { items } = await project.list("proposal", { statuses, now: clock.now() }, { limit: KNOWN_LIMIT, offset: 0 });
  return new Map(items.map((item) => [keyOf(item), item]));
}

function idsOf(
  read: readonly AdrFile[],
  known: ReadonlyMap<string, Item>,
  world: Pick<World, "ids">,
): Map<AdrFile, string> {
  return new Map(read.map((file) => [file, known.get(keyOf(file.draft))?.id ?? world.ids.next()]));
}

interface Staging {
  ids: ReadonlyMap<AdrFile, string>;
  evidence: ReadonlyMap<string, string>;
  passages: Parameters<typeof planRemember>[1]["passages"];
}

function stagingOf(
  file: AdrFile,
  { ids, evidence, passages }: Staging,
  world: Pick<World, "place" | "clock" | "origin">,
): Change[] {
  const { adr, draft, path } = file;
  const supersedes = supersededBy(file, [...ids.keys()]).map((older) => ids.get(older)!);
  const relates = [...ids.keys()]
    .filter((other) => other.adr.number !== null && adr.relates.includes(other.adr.number))
    .map((other) => ids.get(other)!);
  const proposal = { ...draft.proposal, supersedes, relates, evidence: [evidence.get(path)!] };
  const situation = { id: ids.get(file)!, now: world.clock.now(), origin: world.origin, spaceId: world.place.spaceId };
  const none = { workingTtlSeconds: 0, duplicate: null, predecessor: null, leaving: [] };
  const { changes } = planRemember({ ...draft, proposal }, { ...situation, ...none, route: ROUTE, passages });
  const record = { file: redactor().clean(basename(path)), number: adr.number, status: adr.status, date: adr.date };
  return changes.map((change) => {
    if (change.kind !== "insert_item") return change;
    const settled = isTurnedDown(file, [...ids.keys()])
      ? { status: "rejected" as const, reason: `the record's status is ${adr.status}` }
      : null;
    const details = { ...change.item.details, record, ...(settled && { reason: settled.reason }) };
    return { ...change, item: { ...change.item, details, ...(settled && { status: settled.status }) } };
  });
}

/** Includes a record superseded by one that is not among the files, because nothing would ever end it. */
function isTurnedDown(file: AdrFile, all: readonly AdrFile[]): boolean {
  if (TURNED_DOWN.includes(file.adr.status)) return true;
  return file.adr.status === "superseded" && !all.some((other) => supersededBy(other, [file]).length > 0);
}

/** The records that this one replaces, whichever of the two says so. */
function supersededBy(file: AdrFile, all: readonly AdrFile[]): AdrFile[] {
  const { number, supersedes } = file.adr;
  return all.filter(
    ({ adr }) =>
      adr !== file.adr &&
      ((adr.number !== null && supersedes.includes(adr.number)) ||
        (number !== null && adr.supersededBy.includes(number))),
  );
}

function outcomeOf(file: AdrFile, ids: ReadonlyMap<AdrFile, string>, known: ReadonlyMap<string, Item>): ImportedAdr {
  const { path, adr, draft } = file;
  const settled = isTurnedDown(file, [...ids.keys()]) ? "rejected" : "proposed";
  const status = known.has(keyOf(draft)) ? "known" : settled;
  return { path, id: ids.get(file)!, subject: draft.title, recorded: adr.status, status };
}
