import assert from "node:assert/strict";
import { test } from "node:test";
import { catalog } from "../../src/catalog/catalog.ts";
import { complete, runCompletion, SHELL_SCRIPTS } from "../../src/cli/completion.ts";
import type { KnownWord } from "../../src/recall/known-words.ts";
import { streams } from "../hosts/fixtures/streams.ts";

/** Every kind knows two words that tell which kind was asked for. */
const lookUp = async (kind: KnownWord, beginning: string, project: string | undefined) =>
  [`${kind}-1`, `${kind}-2`, ...(project ? [`${kind}-of-${project}`] : [])]
    .filter((word) => word.startsWith(beginning))
    .map((word) => ({ word, about: `a ${kind}` }));

const cases: [words: string[], found: string[], why: string][] = [
  [["reme"], ["remember"], "a verb"],
  [["sea"], ["search-docs", "search-code", "search"], "verbs and aliases"],
  [["doc"], ["doctor"], "a process"],
  [["help", "forg"], ["forget"], "help about a verb"],
  [["get", ""], ["item-1", "item-2"], "handles"],
  [["show", "item-2"], ["item-2"], "of an alias"],
  [["rm", ""], ["memory-1", "memory-2"], "only what the verb can act on"],
  [["ratify", ""], ["proposal-1", "proposal-2"], "proposals"],
  [["decisions", "subject-1"], ["subject-1"], "subjects"],
  [["link", "a", ""], ["linkable-1", "linkable-2"], "the second argument"],
  [["get", "a", ""], [], "no third"],
  [["list", "--tag", ""], ["tag-1", "tag-2"], "tags"],
  [["list", "--tags", "tag-1"], ["tag-1"], "in the plural"],
  [["remember", "x", "--tags", "a,tag-2"], ["a,tag-2"], "the last of several"],
  [["list", "--type", "bug"], ["bug_fix"], "fixed values"],
  [["list", "--type", "fact,bug"], ["fact,bug_fix"], "the last of several"],
  [["remember", "--pin"], ["--pinned"], "flags"],
  [["remember", "--imp"], [], "but none that is only still read"],
  [["update", "--ed"], ["--edit"], "flags of a person"],
  [["get", "--dry"], [], "only those of the verb"],
  [["remember", "x", "--dry"], ["--dry-run"], "of a verb that writes"],
  [["get", "--project", "/p", "item-of"], ["item-of-/p"], "in another project"],
  [["get", "--project", ""], [], "folders are left to the shell"],
  [["remember", ""], [], "free text"],
  [["doctor", "--re"], ["--recover"], "flags of a process"],
  [["completion", "z"], ["zsh"], "its words"],
  [["nonsense", ""], [], "an unknown verb"],
  [[], [...catalog.names.slice(0, 3)], "nothing typed"],
];
for (const [words, found, why] of cases)
  test(`${["stele", ...words].join(" ")}: ${why}`, async () => {
    const completions = (await complete(words, catalog, lookUp)).map(({ word }) => word);
    assert.deepEqual(words.length === 0 ? completions.slice(0, found.length) : completions, found);
  });

async function run(
  argv: string[],
  open: Parameters<typeof runCompletion>[1]["open"] = () => Promise.reject(new Error("closed")),
) {
  const { io, out, err } = streams();
  const code = await runCompletion(argv, { io, catalog, open });
  return { code, out: out(), err: err() };
}

test("an answer never fails, even if there is no store", async () => {
  assert.deepEqual(await run(["words", "--", "get", ""]), { code: 0, out: "", err: "" });
  assert.deepEqual(await run(["words", "--", "remem"]), { code: 0, out: "remember\t\n", err: "" });
});

test("each shell has its script; others are told which there are", async () => {
  for (const [shell, script] of Object.entries(SHELL_SCRIPTS)) assert.equal((await run([shell])).out, `${script}\n`);
  for (const argv of [[], ["tcsh"], ["bash", "twice"], ["toString"]])
    await assert.rejects(run(argv), { code: "invalid_input", hint: /bash\|zsh\|fish/ });
});
