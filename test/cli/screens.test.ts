/** What a person sees, verb by verb: at 80 columns, at 120, and in a pipe. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { catalog } from "../../src/catalog/catalog.ts";
import { runCli } from "../../src/cli/run.ts";
import { type StreamOptions, streams } from "../hosts/fixtures/streams.ts";
import { keep, type TestWorld, testWorld } from "../test-world.ts";

const SECRET = `ghp_${"q7Xc2Vb9Zk".repeat(4).slice(0, 36)}`;
const LONG =
  "The build takes ten minutes, and nobody knows why. It was faster in spring. Somebody changed the cache then, or the " +
  "runner, or both at once, and the numbers were never compared. Deploys need the VPN and two approvals, one of them " +
  "from the person on call. The release train leaves on Tuesday at noon, whatever is on board, and what is not waits a week.";

async function filledWorld(): Promise<TestWorld> {
  const world = await testWorld();
  await keep(world, "The user prefers dark mode in every editor, 日本語 and 🚀 included", { type: "preference" });
  await keep(world, LONG, { type: "gotcha", title: "Releases", tags: ["deploy", "ops"] });
  return world;
}

/** Handles differ from run to run, and so does how relevant the made-up embedder finds a hit. */
const steady = (text: string): string =>
  text
    .replaceAll(/\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/g, "an-id")
    .replaceAll(/(?<![0-9a-f-])[0-9a-f]{8}(?![0-9a-f])/g, "5ca1ab1e")
    .replaceAll(/\d+(\s)%/g, "50$1%");

async function shown(argv: string[], options: StreamOptions, world: TestWorld): Promise<string> {
  const { io, out, err } = streams(options);
  // Nobody notes what was read, so that no screen changes the next.
  const afterwards = { ...world.afterwards, add: () => undefined };
  const open = async () => ({ world: { ...world, afterwards }, close: async () => undefined });
  await runCli(argv, { catalog, io, attended: false, open });
  return steady(out() + err());
}

const NARROW = { tty: true, columns: 80 };
const WIDE = { tty: true, columns: 120 };
const PIPE = { tty: false };

const DRY_RUN = `Dry run: nothing was written.
Would remember (fact, project: default scope):
  Deploy with the token [redacted:github-token] and never share it
Tags: a, b.
Redacted: github-token.
`;
const RELEASES = "the newest";
const DEPLOY = ["recall", "approvals for a deploy", "--limit", "1"];
const NOTHING = ["recall", "zebra", "--threshold", "0.9"];
const REMEMBER = ["remember", `Deploy with the token ${SECRET} and never share it`, "--tags", "a,b", "--dry-run"];

const screens: [command: string[], options: StreamOptions, screen: string][] = [
  [
    DEPLOY,
    NARROW,
    `5ca1ab1e  Releases: … Deploys need the VPN and two approvals, one of them from
          the person on call. …
          gotcha, project, today, 50\u00a0%
`,
  ],
  [
    DEPLOY,
    WIDE,
    `5ca1ab1e  Releases: … Deploys need the VPN and two approvals, one of them from the person on call. …
          gotcha, project, today, 50\u00a0%
`,
  ],
  [
    DEPLOY,
    { ...NARROW, colours: true },
    `\u001b[33m5ca1ab1e\u001b[39m  \u001b[1mReleases\u001b[22m: … \u001b[1mDeploys\u001b[22m need the VPN and two \u001b[1mapprovals\u001b[22m, one of them from
          the person on call. …
          \u001b[2mgotcha, project, today, 50\u00a0%\u001b[22m
`,
  ],
  [
    DEPLOY,
    PIPE,
    `5ca1ab1e  Releases: ${LONG.slice(0, 289)}…
  gotcha, project, 2026-01-15; relevance 50 %; found by keyword 50 %, vector 50 %, soft 50 %
`,
  ],
  [
    ["list"],
    NARROW,
    `5ca1ab1e  today  Releases: The build takes ten minutes, and nobody knows why.
                 gotcha, project
5ca1ab1e  today  The user prefers dark mode in every editor, 日本語 and 🚀
                 included  preference, global
2 of 2
`,
  ],
  [
    ["list"],
    PIPE,
    `5ca1ab1e  2026-01-15  gotcha, project  Releases: The build takes ten minutes, and nobody knows why.
5ca1ab1e  2026-01-15  preference, global  The user prefers dark mode in every editor, 日本語 and 🚀 included
2 of 2
`,
  ],
  [
    ["list", "--limit", "1"],
    WIDE,
    `5ca1ab1e  today  Releases: The build takes ten minutes, and nobody knows why.  gotcha, project
1 of 2; \`--offset 1\` shows the next
`,
  ],
  [
    ["get", RELEASES],
    NARROW,
    `5ca1ab1e  Releases  gotcha, project, active

The build takes ten minutes, and nobody knows why. It was faster in spring.
Somebody changed the cache then, or the runner, or both at once, and the numbers
were never compared. Deploys need the VPN and two approvals, one of them from
the person on call. The release train leaves on Tuesday at noon, whatever is on
board, and what is not waits a week.

tags          deploy, ops
source        user_explicit by test, session session
branch        main
created       today, 00:00
`,
  ],
  [
    ["get", RELEASES],
    PIPE,
    `handle        5ca1ab1e
id            an-id
title         Releases
type          gotcha, project, active
tags          deploy, ops
priority      5
confidence    1
source        user_explicit by test, session session
branch        main
created       2026-01-15 00:00
updated       2026-01-15 00:00
read          never

${LONG}
`,
  ],
  [NOTHING, NARROW, "Nothing remembered about that.\n`stele list` shows what there is.\n"],
  [NOTHING, PIPE, "Nothing remembered about that.\n"],
  [REMEMBER, NARROW, DRY_RUN],
  [REMEMBER, PIPE, DRY_RUN],
  [
    ["forget", RELEASES, "--dry-run"],
    NARROW,
    `Dry run: nothing was written.
Would archive 5ca1ab1e (The build takes ten minutes, and nobody knows why.).
`,
  ],
  [
    ["update", RELEASES, "Deploys need the VPN", "--dry-run"],
    PIPE,
    `Dry run: nothing was written.
Would replace 5ca1ab1e; the old version would be its history.
  Deploys need the VPN
`,
  ],
];

test("every screen is as it should be", async () => {
  const world = await filledWorld();
  const [releases] = await world.project.newestIds("memory", 1);
  for (const [command, options, screen] of screens) {
    const place = options.tty ? `${options.columns} columns` : "a pipe";
    const argv = command.map((word) => (word === RELEASES ? releases! : word));
    assert.equal(await shown(argv, options, world), screen, `stele ${command.join(" ")} on ${place}`);
  }
});
