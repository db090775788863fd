/** Every bench explains itself, and does nothing else when asked to. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { helpOf, readCall } from "../../bench/command-line.ts";
import { runChild } from "../child.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const { scripts } = JSON.parse(readFileSync(`${root}/package.json`, "utf8")) as { scripts: Record<string, string> };
const benches = Object.entries(scripts).filter(([name, command]) => /^bench\b/.test(name) && /^node /.test(command));

for (const [name, command] of benches)
  test(`npm run ${name} -- --help`, async () => {
    const [, file = ""] = command.split(" ");
    const { output, errors } = await runChild(null, [file, "--help"], { cwd: root });
    assert.match(output, new RegExp(`^  npm run ${name}( --|\\n)`, "m"));
    assert.match(output, /^  --help +prints this$/m);
    assert.equal(errors, "");
  });

const COMMAND = {
  script: "bench:x",
  what: "Measures.",
  operands: { name: "sets", what: "all when omitted" },
  options: {
    size: { type: "string", value: "COUNT", what: "how many", default: "10" },
    only: { type: "string", value: "PART", what: "one part" },
    json: { type: "boolean", what: "as JSON" },
  },
} as const;

test("what is left out has its default, false or nothing", () => {
  const none = { size: "10", only: undefined, json: false };
  assert.deepEqual(readCall(COMMAND, []), { values: none, operands: [], isHelp: false });
  assert.deepEqual(readCall(COMMAND, ["a", "-h", "--json", "--only", "b"]), {
    values: { size: "10", only: "b", json: true },
    operands: ["a"],
    isHelp: true,
  });
});

test("help is made from the same table", () => {
  assert.equal(
    helpOf(COMMAND),
    [
      "Measures.\n",
      "  npm run bench:x -- [sets…] [--size COUNT] [--only PART] [--json]\n",
      "  sets          all when omitted",
      "  --size COUNT  how many; 10 when omitted",
      "  --only PART   one part",
      "  --json        as JSON",
      "  --help        prints this\n",
    ].join("\n"),
  );
});
