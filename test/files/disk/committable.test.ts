/** A data folder in a repository: whether git would commit what is in it. */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import { createHostFiles } from "../../../src/agents/agent-files.ts";
import { openDoctor } from "../../../src/app/compose-doctor.ts";
import { createNoEmbedder } from "../../../src/embed/embedders.ts";
import { committableIn } from "../../../src/files/disk/project-files.ts";
import { DEFAULT_DATA, placesIn } from "../../agents/fixtures.ts";

const top = realpathSync(mkdtempSync(join(tmpdir(), "stele-commit-")));
after(() => rmSync(top, { recursive: true }));
let made = 0;

/** A repository with these files, and a data folder at `path` in it. */
function repositoryWith(files: Record<string, string>, path: string): { checkout: string; home: string } {
  const checkout = join(top, `${(made += 1)}`);
  const home = join(checkout, path);
  for (const folder of [join(checkout, ".git", "info"), join(checkout, "app"), home])
    mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(checkout, name), text);
  return { checkout, home };
}

const cases: [why: string, files: Record<string, string>, path: string, isCommittable: boolean][] = [
  ["nothing is ignored", {}, ".stele", true],
  ["the folder is ignored", { ".gitignore": ".stele/\n" }, ".stele", false],
  ["a folder around it is ignored", { ".gitignore": "/app/*\n" }, "app/data/stele", false],
  ["this clone ignores it", { ".git/info/exclude": "/.stele\n" }, ".stele", false],
  ["it ignores itself", { ".stele/.gitignore": "*\n" }, ".stele", false],
  ["a folder around it has the rules", { "app/.gitignore": "stele\n" }, "app/stele", false],
  ["only our own rules name it", { ".steleignore": ".stele/\n" }, ".stele", true],
  ["databases are ignored, reports of hooks are not", { ".gitignore": "*.db\n" }, ".stele", true],
  ["it is named again", { ".gitignore": ".stele/*\n!.stele/spaces/\n" }, ".stele", true],
  ["it is git's own", {}, ".git/stele", false],
  ["it is the repository itself", {}, "", true],
];
for (const [why, files, path, isCommittable] of cases)
  test(`a data folder at "${path}" would ${isCommittable ? "" : "not "}be committed: ${why}`, async () => {
    const { checkout, home } = repositoryWith(files, path);
    assert.deepEqual(await committableIn(home), isCommittable ? { checkout, path } : null);
  });

test("the doctor notes it, and says what to ignore; outside a repository there is nothing to say", async () => {
  const { checkout, home } = repositoryWith({}, ".stele");
  const outside = join(top, "outside");
  mkdirSync(outside, { mode: 0o700 });
  const hosts = {
    files: createHostFiles({ searched: "", extensions: "" }),
    program: { node: "/node", entry: "/stele.js", data: DEFAULT_DATA },
    places: placesIn(join(top, "nobody")),
  };
  const told = async (folder: string) => {
    const doctor = await openDoctor({ home: folder, project: checkout, hosts, embedder: createNoEmbedder });
    const findings = (await doctor.examine()).filter(({ check }) => check === "home");
    return findings.map(({ state, message, next }) => [state, message, next]);
  };
  assert.deepEqual(await told(outside), [["ok", `${outside} exists.`, null]]);
  const message = `It is in the repository ${checkout}, and git does not ignore all of it, so memories could be committed.`;
  const next =
    "Add /.stele/ to the repository's .gitignore, or move it out of the repository, and set STELE_HOME to its new place.";
  assert.deepEqual(await told(home), [
    ["ok", `${home} exists.`, null],
    ["note", message, next],
  ]);
});
