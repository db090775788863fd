/**
 * The official conformance suite against `/mcp`, for both eras.
 *
 * What fails is listed in expected-failures.yaml, each with its reason; a failure beyond it fails the test, and so does an
 * entry that no longer fails. The suite's own summary is printed.
 */
import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { runChild } from "../../child.ts";
import { ERAS } from "../../mcp.ts";
import { serveSuite } from "./served-suite.ts";

const SUITE = new URL("../../../node_modules/@modelcontextprotocol/conformance/dist/index.js", import.meta.url);

for (const era of ERAS)
  test(`everything of ${era} that applies to a server like ours passes`, async (context) => {
    const folder = mkdtempSync(join(tmpdir(), "stele-conformance-"));
    const project = join(folder, "project");
    mkdirSync(project);
    try {
      await using served = await serveSuite(join(folder, "home"), project);
      const expected = fileURLToPath(new URL(`expected-failures-${era}.yaml`, import.meta.url));
      const { code, output, errors } = await runChild(SUITE, [
        ...["server", "--url", served.url, "--requirements", era, "--expected-failures", expected],
        ...["--output-dir", join(folder, "results")],
      ]);
      const summary = output.slice(output.indexOf("=== SUMMARY"));
      context.diagnostic(`${era}: ${figures(summary)}`);
      assert.equal(code, 0, `${summary}\n${errors}`);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });

/** The suite also runs scenarios of extensions that its requirements do not score. */
function figures(summary: string): string {
  const scenarios = [...summary.matchAll(/^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed$/gm)];
  const expected = new Set([...summary.matchAll(/^ {2}~ ([\w-]+)/gm)].map(([, name]) => name));
  const failing = scenarios.filter(([, mark, name]) => mark === "✗" && !expected.has(name));
  const checks = scenarios.reduce((sum, [, , , passed]) => sum + Number(passed), 0);
  const passing = scenarios.length - expected.size - failing.length;
  return `${passing} scenarios pass (${checks} checks), ${expected.size} fail as expected, ${failing.length} are not scored`;
}
