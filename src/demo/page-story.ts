/**
 * What happened in the made-up project that the demo's page shows: three weeks of a small web app for tide tables.
 *
 * Only what was said and done is written down here. What Stele makes of it (relations, duplicates, contradictions, what
 * a session is handed) it works out itself.
 */
export interface Step {
  /** How long ago, in hours. */
  readonly hoursAgo: number;
  readonly session: string;
  readonly host: string;
  /** A verb and its input; `$name` in a text stands for the id of the step with that name. */
  readonly verb: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly name?: string;
}

/** A session is handed the surface when it starts, and what recall finds for each of its prompts. */
export interface Visit {
  readonly hoursAgo: number;
  readonly session: string;
  readonly host: string;
  readonly prompts: readonly string[];
}

const DAY = 24;

const steps = (
  hoursAgo: number,
  session: string,
  host: string,
  list: readonly (readonly [verb: string, input: Record<string, unknown>, name?: string])[],
): Step[] =>
  list.map(([verb, input, name], index) => ({
    hoursAgo: hoursAgo - index * 0.07,
    session,
    host,
    verb,
    input,
    ...(name === undefined ? {} : { name }),
  }));

const fact = (content: string, more: object = {}) => ["remember", { content, ...more }] as const;

export const STORY: readonly Step[] = [
  ...steps(21 * DAY, "first-look", "claude-code", [
    ["observe", { event: "session_start" }],
    fact("Tide heights are stored in whole millimetres, never as floats.", { type: "convention", tags: ["data"] }),
    fact("The tide data comes from the harbour office as one CSV file a year.", {
      type: "fact",
      tags: ["data"],
      files: ["docs/data.md"],
    }),
    fact("Tests must not call the weather service: it allows a hundred requests a day.", {
      type: "gotcha",
      tags: ["tests"],
      files: ["src/weather.ts"],
    }),
    [
      "log",
      {
        title: "How to store times",
        text: "User: Do we keep local time or UTC?\nAssistant: The office publishes local time. If we keep UTC, summer time is handled once, on import.\nUser: UTC then. The page converts it.",
      },
      "talk-utc",
    ],
    [
      "propose",
      {
        subject: "times",
        decision: "Keep every time in UTC and convert it on the page.",
        rationale: "Summer time is then handled once, when data is imported.",
        rejected: ["Local time, as it is published"],
        evidence: ["$talk-utc"],
      },
      "utc",
    ],
    ["observe", { event: "session_end" }],
  ]),
  ...steps(20 * DAY, "", "cli", [["ratify", { id: "$utc" }]]),
  ...steps(15 * DAY, "parser-work", "claude-code", [
    ["observe", { event: "session_start" }],
    fact("Tide times were an hour late in summer: the parser dropped the time zone of the file.", {
      type: "bug_fix",
      tags: ["parser", "data"],
      files: ["src/parser.ts"],
    }),
    fact("parseTides skips lines without a height and counts them; the import fails above ten.", {
      type: "fact",
      tags: ["parser"],
      files: ["src/parser.ts"],
    }),
    fact("Production runs on Postgres 15.", { type: "fact", tags: ["operations"] }),
    [
      "remember",
      {
        content: "The staging database rejects connections unless the VPN is up.",
        type: "gotcha",
        tags: ["operations"],
      },
    ],
    [
      "log",
      {
        title: "Which map",
        text: "User: The map library is 400 KB. Do we need it?\nAssistant: For one harbour a drawing is enough. A small SVG would be 6 KB.\nUser: Then draw it ourselves. No map library.",
      },
      "talk-map",
    ],
    [
      "propose",
      {
        subject: "map",
        decision: "Draw the harbour as one SVG; use no map library.",
        rationale: "One harbour needs no tiles, and the page stays below 100 KB.",
        rejected: ["A map library with tiles"],
        evidence: ["$talk-map"],
      },
      "svg",
    ],
    ["observe", { event: "session_end" }],
  ]),
  ...steps(14 * DAY, "", "cli", [
    ["ratify", { id: "$svg" }],
    [
      "remember",
      {
        content: "I prefer small commits with a sentence as their subject.",
        type: "preference",
        scope: "global",
        pinned: true,
      },
    ],
    ["remember", { content: "I read answers on a phone: keep them short.", type: "preference", scope: "global" }],
  ]),
  ...steps(8 * DAY, "deploy", "codex", [
    ["observe", { event: "session_start" }],
    [
      "remember",
      {
        content: "Deploys need the VPN and a green build; the script checks both.",
        type: "convention",
        tags: ["operations", "deploy"],
        files: ["scripts/deploy.sh"],
      },
      "deploy",
    ],
    ["remember", { content: "Deploys need the VPN and a green build.", type: "gotcha", tags: ["deploy"] }],
    [
      "remember",
      {
        content: "The build machine clears its cache on Sundays, so Monday's first build takes twenty minutes.",
        type: "observation",
        tags: ["operations"],
      },
    ],
    [
      "observe",
      { event: "error_occurred", content: "deploy.sh: connection to staging refused", context: "the VPN was down" },
    ],
    ["observe", { event: "session_end" }],
  ]),
  ...steps(6 * DAY, "", "cli", [
    ["remember", { content: "Production runs on Postgres 15.", type: "fact", tags: ["operations"] }, "postgres"],
    ["update", { id: "$postgres", content: "Production runs on Postgres 16." }],
  ]),
  ...steps(3 * DAY, "accounts", "claude-code", [
    ["observe", { event: "session_start" }],
    fact("Subscriptions are keyed by a hash of the address; the address itself is never stored.", {
      type: "architecture",
      tags: ["accounts", "privacy"],
      files: ["src/accounts.ts"],
    }),
    fact("A reminder goes out two hours before low water, and never between 22:00 and 6:00.", {
      type: "fact",
      tags: ["accounts"],
      files: ["src/reminders.ts"],
    }),
    [
      "log",
      {
        title: "Signing in",
        text: "User: People forget passwords. Could they sign in with a link?\nAssistant: Yes. A link by mail needs no password table; it must end after ten minutes.\nUser: Good. Links, ten minutes, one use.",
      },
      "talk-links",
    ],
    [
      "propose",
      {
        subject: "sign-in",
        decision: "Sign in with a link by mail that is good once, for ten minutes.",
        rationale: "No passwords to store, lose or leak.",
        rejected: ["Passwords", "Sign-in with another site's account"],
        evidence: ["$talk-links"],
      },
    ],
    [
      "remember",
      {
        content: "The reminder mail is sent by a job that runs every ten minutes on the web server.",
        type: "fact",
        tags: ["accounts"],
        files: ["src/reminders.ts"],
      },
    ],
    [
      "remember",
      {
        content: "The clean-up of old sign-in links is done by a job that runs every ten minutes on the web server.",
        type: "fact",
        tags: ["accounts"],
        files: ["src/accounts.ts"],
      },
    ],
    ["observe", { event: "pattern_detected", content: "Every module exports one function and its options type." }],
    ["observe", { event: "session_end" }],
  ]),
  ...steps(26, "map-again", "claude-code", [
    ["observe", { event: "session_start" }],
    fact(
      "The harbour drawing has three layers: water, quays, labels. Labels are text, so that they can be translated.",
      { type: "architecture", tags: ["map"], files: ["src/map.svg", "src/map.ts"] },
    ),
    ["remember", { content: "The user prefers dark mode in every tool.", type: "preference", scope: "global" }],
    [
      "log",
      {
        title: "A second harbour",
        text: "User: Next year there will be four harbours. Does the drawing still work?\nAssistant: Four drawings are much work. A map library would show all of them.\nUser: Let us think about it.",
      },
      "talk-map-again",
    ],
    [
      "propose",
      {
        subject: "map",
        decision: "Do not draw the harbour as one SVG; use a map library for all four harbours.",
        rationale: "Four drawings cost more to maintain than one library.",
        rejected: ["Four drawings"],
        evidence: ["$talk-map-again"],
      },
    ],
    [
      "propose",
      {
        subject: "reminders",
        decision: "Send reminders by mail only, not as messages to a phone.",
        rationale: "Nobody has asked for messages, and each costs money.",
      },
    ],
    ["observe", { event: "session_end" }],
  ]),
  ...steps(2, "today", "claude-code", [
    ["observe", { event: "session_start" }],
    fact("Low water at the north quay is eleven minutes after the gauge's.", {
      type: "fact",
      tags: ["data"],
      files: ["src/parser.ts"],
    }),
    [
      "remember",
      {
        content: "The translation of the labels is half done: German and Dutch are missing.",
        type: "progress",
        tags: ["map"],
        files: ["src/map.ts"],
      },
    ],
    [
      "remember",
      {
        content: "The map is drawn with a map library since the harbour drawing was dropped.",
        type: "fact",
        tags: ["map"],
      },
    ],
  ]),
];

export const VISITS: readonly Visit[] = [
  {
    hoursAgo: 14.9 * DAY,
    session: "parser-work",
    host: "claude-code",
    prompts: ["Why are tide times wrong in summer?"],
  },
  { hoursAgo: 7.9 * DAY, session: "deploy", host: "codex", prompts: ["What is needed to deploy to staging?"] },
  { hoursAgo: 2.9 * DAY, session: "accounts", host: "claude-code", prompts: ["How do we store times for reminders?"] },
  { hoursAgo: 25, session: "map-again", host: "claude-code", prompts: ["How is the harbour map drawn?"] },
  { hoursAgo: 1.9, session: "today", host: "claude-code", prompts: ["Which database version runs in production?"] },
];

/** Files of the project, so that documents and code can be found too. */
export const FILES: Readonly<Record<string, string>> = {
  "README.md":
    "# Harbour\n\nTide tables for one harbour, as a page that loads in a second.\n\nSee [the data](docs/data.md).\n",
  "docs/data.md":
    "# Data\n\nThe harbour office sends one CSV file a year. Heights are in millimetres above chart datum; times are local.\n",
  "docs/deploy.md":
    "# Deploy\n\nRun `scripts/deploy.sh` with the VPN up. It refuses to start while the build is red.\n",
  "src/parser.ts":
    "/** Reads the yearly file. */\nexport function parseTides(text: string): Tide[] {\n  return text.split('\\n').flatMap(readLine);\n}\n",
  "src/weather.ts":
    "/** Asks the weather service, at most a hundred times a day. */\nexport async function windAt(hour: number): Promise<number> {\n  return hour;\n}\n",
  "src/map.ts":
    "/** Draws the harbour: water, quays, labels. */\nexport function drawHarbour(): string {\n  return '<svg/>';\n}\n",
};
