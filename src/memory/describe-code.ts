/**
 * Stores a description of a piece of code together with the code.
 *
 * Only the description is embedded; an edge leads from it to its code. A new pair replaces the older one of the same
 * path. Files that the index skips are not read here either.
 */
import { Failure } from "../errors.ts";
import { languageOf } from "../files/languages.ts";
import { newEdge } from "../graph/edges.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import { type Redaction, redactor } from "../redaction/redact.ts";
import { hashAt } from "../text/content-hash.ts";
import { textFault } from "../text/text.ts";
import type { DraftWorld, World } from "../world.ts";
import { contextOf, provenanceIn } from "./authorship.ts";
import type { Item } from "./item.ts";
import { passagesOf } from "./passages.ts";
import { type Draft, planRemember } from "./remember-rules.ts";

interface CodeRequest {
  /** Relative to the project. */
  path: string;
  description: string;
  /** The code; read from the file when omitted. */
  code?: string | undefined;
  startLine?: number | undefined;
  endLine?: number | undefined;
  tags: readonly string[];
}

interface Described {
  status: "stored" | "duplicate";
  /** The id of the description. */
  id: string;
  codeId: string;
  superseded: string[];
  redactions: Redaction[];
}

type PairType = "code_description" | "code";
const PAIR: readonly PairType[] = ["code_description", "code"];
const ROUTE = { scope: "project", reason: "it describes this project's code", confidence: 1, by: "type" } as const;

export async function describeCode(
  request: CodeRequest,
  world: DraftWorld & Pick<World, "projectFiles" | "settings">,
): Promise<Described> {
  const { clean, redactions } = redactor();
  const path = clean(request.path.replace(/^\.\//, ""));
  const texts: Record<PairType, string> = {
    code_description: clean(request.description),
    code: clean(request.code ?? (await codeAt(request, world))),
  };
  if (texts.code.trim() === texts.code_description.trim()) {
    throw new Failure("invalid_input", "The description is the code itself.", "Say in words what it does.");
  }
  const tags = request.tags.map(clean);
  const answer = await commit<Omit<Described, "redactions">>(
    world.project,
    async () => {
      const older = await pairAt(path, world);
      const plans: Half[] = [];
      for (const type of PAIR) {
        const draft = draftOf(type, texts[type], { ...request, path, tags }, world);
        plans.push(await planHalf(draft, older.get(type) ?? null, world));
      }
      const [description, code] = plans as [Half, Half];
      const changes = [...description.changes, ...code.changes, ...(await tying(description.id, code.id, world))];
      const superseded = plans.flatMap(({ closed }) => closed);
      const status = description.isNew || code.isNew ? "stored" : "duplicate";
      return { changes, answer: { status, id: description.id, codeId: code.id, superseded } };
    },
    world,
  );
  return { ...answer, redactions: redactions() };
}

async function codeAt(
  { path: written, startLine = 1, endLine }: CodeRequest,
  world: Pick<World, "projectFiles" | "settings">,
): Promise<string> {
  const { projectFiles, settings } = world;
  const path = written.replace(/^\.\//, "");
  const leftOut = await projectFiles.leftOut(path, settings.index);
  if (leftOut !== null) {
    throw new Failure("invalid_input", `${path} is not read: ${leftOut}.`, "Name another file, or give the code.");
  }
  const read = await projectFiles.read(path, settings.index.fileBytes);
  if ("reason" in read) {
    throw new Failure(
      "not_found",
      `${path} cannot be read: ${read.reason}.`,
      "Name a file of this project, or give the code.",
    );
  }
  const code = read.text
    .split("\n")
    .slice(startLine - 1, endLine)
    .join("\n");
  const fault = textFault(code);
  if (fault) throw new Failure("invalid_input", `The code ${fault}.`, "Choose other lines.");
  return code;
}

async function pairAt(path: string, { project, clock }: Pick<World, "project" | "clock">): Promise<Map<string, Item>> {
  const filter = { statuses: ["active"] as const, now: clock.now(), types: PAIR, pathPrefix: path };
  const { items } = await project.list("memory", filter, { limit: 1_000, offset: 0 });
  // The newest of each; there can be more than one only after an import.
  return new Map(
    items
      .filter((item) => item.path === path)
      .map((item): [string, Item] => [item.type, item])
      .toReversed(),
  );
}

function draftOf(
  type: PairType,
  content: string,
  { path, tags, startLine, endLine }: CodeRequest,
  world: Pick<World, "place">,
): Draft {
  const { context } = contextOf(world);
  const lines = startLine === undefined ? "" : `:${startLine}${endLine === undefined ? "" : `-${endLine}`}`;
  return {
    content,
    hash: hashAt(path, content),
    type,
    path,
    tags: [...tags],
    title: `${path}${lines}`,
    source: "code_index",
    context: { ...context, files: [path], language: languageOf(path) },
  };
}

interface Half {
  changes: readonly Change[];
  id: string;
  closed: string[];
  isNew: boolean;
}

async function planHalf(draft: Draft, older: Item | null, world: DraftWorld): Promise<Half> {
  const duplicate = await world.project.sameContent("memory", "project", draft.hash);
  const { id, now } = provenanceIn(world);
  const passages = await passagesOf(draft, world);
  const predecessor = older && older.id !== duplicate?.id ? older : null;
  const { changes, answer } = planRemember(draft, {
    id,
    now,
    origin: world.origin,
    spaceId: world.place.spaceId,
    route: ROUTE,
    workingTtlSeconds: 0,
    duplicate,
    predecessor,
    leaving: [],
    passages,
  });
  const closed = predecessor ? [predecessor.id] : [];
  return { changes, id: answer.id, closed, isNew: answer.status === "stored" };
}

/** An edge from the description, which searches find, to the code, which is not embedded. */
async function tying(
  source: string,
  target: string,
  { project, clock }: Pick<World, "project" | "clock">,
): Promise<Change[]> {
  const edge = newEdge({
    shelf: "memory",
    source,
    target,
    relation: "source_of",
    strength: 1,
    bidirectional: false,
    status: "active",
    createdAt: clock.now(),
  });
  const [known] = await project.edges("memory", [edge.id]);
  return known ? [] : [{ kind: "insert_edge", edge }];
}
