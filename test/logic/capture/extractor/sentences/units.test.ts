import assert from "node:assert/strict";
import { test } from "node:test";
import { unitsOf } from "../../../../../src/logic/capture/extractor/sentences/units.ts";

const outline = (message: string) => unitsOf(message).map(({ heading, text }) => `${heading}| ${text}`);

const cases: [string, string, string[]][] = [
  ["sentences", "It failed again. `run()` was called twice.", ["| It failed again.", "| `run()` was called twice."]],
  ["abbreviations end nothing", "Use a cache, e.g. Redis or a file.", ["| Use a cache, e.g. Redis or a file."]],
  ["a heading stands over items", "## Open\n- retry limit\n- timeouts", ["Open| retry limit", "Open| timeouts"]],
  ["a bold line is a heading", "**Root cause:**\nThe key was wrong.", ["Root cause| The key was wrong."]],
  [
    "so does the sentence before a list",
    "It broke. The key lacks:\n\n- the branch\n- the folder",
    ["| It broke.", "The key lacks| the branch", "The key lacks| the folder"],
  ],
  [
    "but not beyond the next heading",
    "It lacks:\n- a branch\n# Next\n- a folder",
    ["It lacks| a branch", "Next| a folder"],
  ],
  [
    "an item goes on in the next line",
    "- the branch\n  of the key\n\nIt works.",
    ["| the branch of the key", "| It works."],
  ],
  [
    "an item that announces deeper ones stands over them",
    "1. Rules:\n   - round each line\n   - cents only\n2. Ship it soon",
    ["Rules| round each line", "Rules| cents only", "| Ship it soon"],
  ],
  [
    "bullets below a numbered item are its own",
    "1. Rules:\n- round each line\n\nThat is all of it.",
    ["Rules| round each line", "| That is all of it."],
  ],
  [
    "a bold line stands over its list, but not over what follows",
    "# Basket\n**Changes:**\n- rounds each line\n\nTotals are in cents.",
    ["Changes| rounds each line", "Basket| Totals are in cents."],
  ],
  ["code is left out", "It prints:\n```\nsecret\n```\nThat is all of it.", ["| It prints.", "| That is all of it."]],
  [
    "tables are left out",
    "Seen:\n| Name | Use |\n|---|---|\n| cache | sessions |\nThat is all of it.",
    ["| That is all of it."],
  ],
  [
    "a full stop in a quotation ends no sentence",
    'The bank says "Wait. Try again later." to each import. It means the limit.',
    ['| The bank says "Wait. Try again later." to each import.', "| It means the limit."],
  ],
  ["emphasis and links", "See **the [guide](https://x.y/z)** first.", ["| See the guide first."]],
  ["placeholders stay", "Kept in `logs/<branch>.txt` now.", ["| Kept in `logs/<branch>.txt` now."]],
];
for (const [what, message, expected] of cases) test(what, () => assert.deepEqual(outline(message), expected));

test("a sentence that is too long is cut between words", () => {
  const units = unitsOf("word ".repeat(200));
  assert.ok(units.length > 1 && units.every(({ text }) => text.length <= 400 && /^word( word)*$/.test(text)));
});
