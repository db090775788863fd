/**
 * What a person says of a note: right makes it a memory of this project, wrong never hands it over again, and a text in its
 * place does both. The verdict outlives every rebuilding of the session.
 */
import { isForAgent } from "../decisions/consent.ts";
import { Failure } from "../errors.ts";
import type { Change } from "../journal/change.ts";
import { commit } from "../journal/commit.ts";
import { revising } from "../memory/item-changes.ts";
import type { Item } from "../memory/item.ts";
import { prepareMemory } from "../memory/remember.ts";
import { redactor } from "../redaction/redact.ts";
import type { World } from "../world.ts";
import type { Note, NoteVerdict, SessionCard } from "./card.ts";

type Judgement = "right" | "wrong" | "open";

interface Judged {
  note: string;
  verdict: NoteVerdict["verdict"] | "open";
  /** The memory that was made of it. */
  memory: string | null;
  /** The memory of an earlier verdict, which is archived now. */
  archived: string | null;
}

/** A note in a second one tells that the beginning of an id is too short. */
const SESSIONS_MOST = 2;

/** `text`: what it should say. `open` takes an earlier verdict back. A memory that an earlier verdict made is archived. */
export async function judgeNote(
  { note: named, as, text }: { note: string; as: Judgement; text?: string | undefined },
  world: World,
): Promise<Judged> {
  if (isForAgent(world.origin))
    throw new Failure("refused", "Only a person judges a note.", "Ask the person, or `remember` what was learnt.");
  if (text !== undefined && as !== "right")
    throw new Failure("invalid_input", `A note that is ${as} gets no text.`, "Leave the text out, or say `right`.");
  const { note, card } = await findNote(named, world);
  const judging = (verdict: NoteVerdict["verdict"], memory: string | null): Change => ({
    kind: "judge_note",
    note: note.id,
    verdict: { note: note.id, session: card.session, verdict, memory, by: byOf(world), at: world.clock.now() },
  });
  if (as !== "right") {
    // A verdict is in no journal, and a surface made without the note does not know that it left one out.
    const judgement: Change[] =
      as === "wrong"
        ? [judging("wrong", null)]
        : [
            { kind: "judge_note", note: note.id, verdict: null },
            { kind: "drop_surfaces", branches: [], handovers: [] },
          ];
    const archived = await commit(
      world.project,
      async () => {
        const earlier = await earlierMemory(note.id, null, world);
        return { changes: [...archiving(earlier), ...judgement], answer: earlier?.id ?? null };
      },
      world,
    );
    return { note: note.id, verdict: as, memory: null, archived };
  }
  const verdict = text === undefined ? "right" : "fixed";
  const memory = await prepareMemory(
    {
      content: text ?? note.text,
      type: "fact",
      scope: "project",
      session: card.session,
      // Right or not, what an agent noted are its words.
      source: text === undefined ? "ai_inferred" : "user_explicit",
      context: { branch: card.branch, files: note.files },
    },
    // It goes with its session when that is erased.
    { ...world, origin: { ...world.origin, session: card.session } },
  );
  const done = await commit(
    world.project,
    async (attempt) => {
      const { changes, answer } = await memory.plan(attempt);
      const earlier = await earlierMemory(note.id, answer.id, world);
      return {
        changes: [...changes, ...archiving(earlier), judging(verdict, answer.id)],
        answer: { memory: answer.id, archived: earlier?.id ?? null },
      };
    },
    world,
  );
  return { note: note.id, verdict, ...done };
}

/** The memory that an earlier verdict made says what is no longer said, unless somebody has changed it since. */
async function earlierMemory(note: string, memory: string | null, { project }: World): Promise<Item | null> {
  const [earlier] = await project.noteVerdicts([note]);
  if (!earlier?.memory || earlier.memory === memory) return null;
  const [item] = await project.items("memory", [earlier.memory]);
  return item?.status === "active" && item.version === 1 ? item : null;
}

const archiving = (item: Item | null): Change[] =>
  item === null ? [] : [revising("memory", item, { status: "archived" })];

const byOf = ({ origin }: Pick<World, "origin">): string => redactor().clean(origin.host);

/** By its id or the beginning of it. */
async function findNote(named: string, { project }: World): Promise<{ note: Note; card: SessionCard }> {
  const cards = await project.sessionCards({ note: named, limit: SESSIONS_MOST });
  const found = cards.flatMap(({ card, notes }) =>
    notes.filter(({ id }) => id.startsWith(named)).map((note) => ({ note, card })),
  );
  const [only, ...others] = found;
  if (!only)
    throw new Failure("not_found", `There is no note ${named}.`, "`stele sessions SESSION` lists a session's notes.");
  if (others.length > 0 && only.note.id !== named)
    throw new Failure("invalid_input", `Several notes begin with ${named}.`, "Give more of its id.");
  return only;
}
