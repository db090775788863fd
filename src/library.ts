/**
 * Stele as a library: one method for each verb.
 *
 * The methods are the catalog's verbs with the catalog's types; nothing is written twice.
 * Every error thrown is a `Failure`.
 */
import type * as z from "zod";
import { type OpenOptions, openWorld } from "./app/compose.ts";
import { catalog, type Operations } from "./catalog/catalog.ts";
import { type Ask, dispatch, type Purpose, purposeOf, READING } from "./catalog/dispatch.ts";
import { Failure, toFailure } from "./errors.ts";
import type { Change } from "./journal/change.ts";
import { lazyWorld } from "./mcp/lazy-world.ts";

type Answer<Name extends keyof Operations> = z.output<Operations[Name]["output"]>;
type Input<Name extends keyof Operations> = z.input<Operations[Name]["input"]>;

type Verbs = { [Name in keyof Operations]: (input: Input<Name>) => Promise<Answer<Name>> };

export interface Stele extends Verbs {
  /** The answer a verb would give and the changes it would write; nothing is written. */
  dryRun<Name extends keyof Operations>(
    verb: Name,
    input: Input<Name>,
  ): Promise<{ answer: Answer<Name>; changes: readonly Change[] }>;
  close(): Promise<void>;
}

export interface SteleOptions extends Partial<Omit<OpenOptions, "reads">> {
  /** How to ask a person; without it, verbs that need one are refused. */
  ask?: Ask;
}

export async function openLibrary({ ask, ...options }: SteleOptions = {}): Promise<Stele> {
  const openAgain = (purpose: Purpose) =>
    openWorld({ host: "library", ...options, ...purpose }).catch((thrown: unknown) => {
      throw toFailure(thrown);
    });
  const shared = lazyWorld(openAgain, undefined);
  // Whatever is wrong shows here, not with the first call.
  await shared.use(async () => undefined, READING);
  let closing: Promise<void> | null = null;

  async function run(verb: keyof Operations, input: unknown, dryRun: boolean) {
    if (closing !== null) throw closed();
    try {
      const operation = await catalog.load(verb);
      if (closing !== null) throw closed();
      return await shared.use(
        (world) => dispatch(operation, input, world, { ask, dryRun }),
        purposeOf(operation, input, dryRun),
      );
    } catch (thrown) {
      // An error in a call whose stores were closed under it is not a defect.
      throw closing === null || thrown instanceof Failure ? toFailure(thrown) : closed(thrown);
    }
  }

  const verbs = Object.fromEntries(
    catalog.names.map((name) => [name, async (input: unknown) => (await run(name, input, false)).answer]),
  ) as unknown as Verbs;
  return {
    ...verbs,
    dryRun: (verb, input) => run(verb, input, true) as Promise<never>,
    close() {
      closing ??= shared.close(Promise.resolve()).catch((thrown: unknown) => {
        throw toFailure(thrown);
      });
      return closing;
    },
  };
}

function closed(cause?: unknown): Failure {
  return new Failure("unavailable", "This Stele is closed.", "Call open() for another one.", { cause });
}
