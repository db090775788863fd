/** Labels and types of documents, by their paths. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { documentClassifier, documentRules } from "../../src/files/document-rules.ts";

const general = documentClassifier(documentRules([], { hasFlow: false }));
const flow = documentClassifier(documentRules([], { hasFlow: true }));
const said = ({ label, docType, skip }: ReturnType<typeof general>) => (skip ? "skipped" : `${label} ${docType}`);

const generalCases: [string, string][] = [
  ["README.md", "readme semantic"],
  ["packages/core/readme.rst", "readme semantic"],
  ["docs/guide/start.md", "doc semantic"],
  ["docs/adr/0001-use-sqlite.md", "adr semantic"],
  ["docs/decisions/0001.md", "adr semantic"],
  ["doc/adr/1.md", "adr semantic"],
  ["adr/1.md", "adr semantic"],
  ["AGENTS.md", "agent procedural"],
  ["packages/core/CLAUDE.md", "agent procedural"],
  ["specs/auth/spec.md", "spec semantic"],
  ["CONTRIBUTING.md", "doc procedural"],
  ["docs/runbooks/restore.md", "doc procedural"],
  ["tasks.md", "doc procedural"],
  ["notes.txt", "doc semantic"],
  ["cyberk-flow/changes/new-login/proposal.md", "doc semantic"],
];
for (const [path, expected] of generalCases)
  test(`general: ${path}`, () => assert.equal(said(general(path)), expected));

const archive = "cyberk-flow/changes/archive/2026-01-login";
const flowCases: [string, string][] = [
  ["cyberk-flow/specs/auth/spec.md", "spec semantic"],
  [`${archive}/specs/auth/spec.md`, "delta-spec semantic"],
  [`${archive}/discovery.md`, "discovery semantic"],
  [`${archive}/proposal.md`, "proposal procedural"],
  [`${archive}/tasks.md`, "tasks procedural"],
  [`${archive}/workflow.md`, "workflow procedural"],
  [`${archive}/design.md`, "design semantic"],
  [`${archive}/notes/other.md`, "archive semantic"],
  ["cyberk-flow/knowledge/naming.md", "knowledge semantic"],
  ["docs/auth.md", "doc semantic"],
  ["docs/workflow.md", "doc procedural"],
  ["README.md", "readme semantic"],
  ["cyberk-flow/changes/new-login/proposal.md", "skipped"],
  ["cyberk-flow/changes/new-login/specs/auth/spec.md", "skipped"],
];
for (const [path, expected] of flowCases) test(`flow: ${path}`, () => assert.equal(said(flow(path)), expected));

test("a person's own rules go first, each for what it says", () => {
  const own = documentClassifier(
    documentRules(
      [
        { glob: "docs/private/**", skip: true },
        { glob: "docs/adr/**", label: "law" },
        { glob: "docs/adr/how*", docType: "procedural" },
      ],
      { hasFlow: true },
    ),
  );
  assert.equal(said(own("docs/private/a.md")), "skipped");
  assert.equal(said(own("docs/adr/1.md")), "law semantic");
  assert.equal(said(own("docs/adr/how-to.md")), "law procedural");
  const active = documentClassifier(
    documentRules([{ glob: "cyberk-flow/changes/mine/**", skip: false }], { hasFlow: true }),
  );
  assert.equal(active("cyberk-flow/changes/mine/a.md").skip, false);
});
