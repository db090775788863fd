/** Every setting with its bounds, default and variable. The reference page is generated from this schema. */
import * as z from "zod";
import { DOCUMENT_TYPES, type DocumentRule } from "../files/corpus.ts";
import { alternativesIn, globFault } from "../files/glob.ts";
import { isSlowPattern, patternFault } from "../files/skip-rules.ts";
import { ROUTING_PRESETS } from "../memory/space.ts";
import { RANK_DAMPING, RECIPE_NAMES } from "../recall/ranking.ts";
import { addressFault, LLM_PROVIDERS, LOCAL_EMBEDDERS, REMOTE_EMBEDDERS } from "../remote/provider.ts";
import { serverFault } from "../team/team.ts";
import { CHUNK } from "../text/passages.ts";
import { TEXT_LIMIT_BYTES } from "../text/text.ts";

/** A setting with the environment variable that overrides it. */
const setting = <T extends z.ZodType>(schema: T, env: string) => schema.meta({ env });

// The settings of files: which are indexed, how they are divided and labelled, and where notes are.

/** Bounded because every path is matched against all of them. */
const MOST_ALTERNATIVES = 1_000;
const MOST_SLOW_PATTERNS = 50;

type Issues = Pick<z.core.$RefinementCtx, "addIssue">;

function checkPatterns(patterns: readonly string[], issues: Issues): void {
  for (const [index, pattern] of patterns.entries()) {
    const fault = patternFault(pattern);
    if (fault) issues.addIssue({ code: "custom", path: [index], message: `${quoted(pattern)} ${fault}` });
  }
  if (patterns.filter(isSlowPattern).length > MOST_SLOW_PATTERNS) {
    const message = `more than ${MOST_SLOW_PATTERNS} patterns have "**" in the middle and once more elsewhere`;
    issues.addIssue({ code: "custom", message });
  }
}

function checkGlobs(rules: readonly DocumentRule[], issues: Issues): void {
  for (const [index, { glob }] of rules.entries()) {
    const fault = globFault(glob);
    if (fault) issues.addIssue({ code: "custom", path: [index, "glob"], message: `${quoted(glob)} ${fault}` });
  }
  const all = rules.reduce((sum, { glob }) => sum + alternativesIn(glob), 0);
  if (all > MOST_ALTERNATIVES) {
    issues.addIssue({ code: "custom", message: `together they have more than ${MOST_ALTERNATIVES} alternatives` });
  }
}

const quoted = (text: string) => JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);

const IndexSettings = z.strictObject({
  files: setting(z.int().min(1).max(1_000_000).default(10_000), "STELE_INDEX_FILES").describe(
    "Maximum number of files indexed per project, those nearest the root first.",
  ),
  fileBytes: setting(
    z.int().min(1_000).max(TEXT_LIMIT_BYTES).default(TEXT_LIMIT_BYTES),
    "STELE_INDEX_FILE_BYTES",
  ).describe("Larger files are skipped."),
  excludes: z
    .array(z.string().min(1).max(500))
    .max(1_000)
    .superRefine(checkPatterns)
    .default([])
    .describe("Additional files to skip, in the syntax of an ignore file."),
  freshMs: setting(z.int().min(0).max(3_600_000).default(0), "STELE_INDEX_FRESH_MS").describe(
    "How long a search trusts the last check of all files. At 0 every search checks, unless its process watches.",
  ),
  waitMs: setting(z.int().min(0).max(60_000).default(1_000), "STELE_INDEX_WAIT_MS").describe(
    "How long a search waits for changed files to be indexed.",
  ),
  watch: setting(z.enum(["events", "polling", "off"]).default("events"), "STELE_INDEX_WATCH").describe(
    "How a server notices changes: events: from the system; polling: for network disks; off: searches check.",
  ),
  debounceMs: setting(z.int().min(0).max(60_000).default(500), "STELE_INDEX_DEBOUNCE_MS").describe(
    "How long a watching server waits after the last change of a burst.",
  ),
  code: setting(z.enum(["on", "off"]).default("on"), "STELE_INDEX_CODE").describe(
    "off: code is neither read nor watched, and indexed code is dropped on the next run.",
  ),
  chunkLines: setting(z.int().min(10).max(2_000).default(CHUNK.lines), "STELE_INDEX_CHUNK_LINES").describe(
    "Lines per chunk of unstructured code or text; changing it splits files again.",
  ),
  chunkOverlap: setting(z.int().min(0).max(1_000).default(CHUNK.overlap), "STELE_INDEX_CHUNK_OVERLAP").describe(
    "Lines shared by consecutive chunks; at most half of a chunk.",
  ),
});

const NotesSettings = z.strictObject({
  folder: setting(z.string().min(1).max(4_096).optional(), "STELE_NOTES_FOLDER").describe(
    "Folder whose Markdown files become memories; a relative path starts at the project, `~` is your home.",
  ),
  fileBytes: setting(z.int().min(1_000).max(TEXT_LIMIT_BYTES).default(100_000), "STELE_NOTES_FILE_BYTES").describe(
    "Larger notes are skipped.",
  ),
});

const LabelSettings = z.strictObject({
  rules: z
    .array(
      z.strictObject({
        glob: z.string().min(1).max(500),
        label: z.string().min(1).max(100).optional(),
        docType: z.enum(DOCUMENT_TYPES).optional(),
        skip: z.boolean().optional(),
      }),
    )
    .max(1_000)
    .superRefine(checkGlobs)
    .default([])
    .describe(
      'Labels and types of documents by path, applied before the built-in rules: `{"glob": "docs/**", "label": "guide", "docType": "procedural"}`; `"skip": true` skips them.',
    ),
});

/**
 * The settings of remote providers.
 *
 * They come from the person's own file: no variable sets them and no project does, so that nobody else can make texts
 * leave the computer. A key is never among them, only the name of the variable that holds it.
 */
const Address = z
  .string()
  .max(2_000)
  .superRefine((address, issues) => {
    const fault = addressFault(address);
    if (fault) issues.addIssue({ code: "custom", message: `the address ${fault}` });
  });

/** Upper case only, so that a key pasted by mistake is refused. */
const KeyVariable = z.string().regex(/^[A-Z][A-Z0-9_]{1,99}$/, "expected the name of a variable, in upper case");

const Model = z
  .string()
  .min(1)
  .max(200)
  .regex(/^[\w.:@/-]+$/, "expected the name of a model");

const Tokens = z.int().min(0).max(1_000_000_000);
const Price = z.number().min(0).max(100_000);

const EmbedderSettings = z
  .strictObject({
    provider: z
      .enum([...LOCAL_EMBEDDERS, ...REMOTE_EMBEDDERS])
      .default("minilm")
      .meta({ env: "STELE_EMBEDDER", inVariable: LOCAL_EMBEDDERS })
      .describe(
        "minilm: local model; none: words only; hash: deterministic, for tests; gemini, openai (or compatible), ollama: remote, beside minilm, and only in your own file.",
      ),
    model: Model.optional().describe("Model of a remote embedder; required for one."),
    baseUrl: Address.optional().describe("Address of a compatible server; the provider's own by default."),
    dimensions: z
      .int()
      .min(64)
      .max(4_096)
      .optional()
      .describe("Length of the remote vectors: 768 for gemini, required for openai and ollama."),
    keyVariable: KeyVariable.optional().describe(
      "Name of the variable that holds the key; by default that of the provider, but none with `baseUrl`.",
    ),
  })
  .superRefine(({ provider, model, dimensions }, { addIssue }) => {
    const isRemote = REMOTE_EMBEDDERS.some((name) => name === provider);
    if (isRemote && model === undefined) addIssue(missing("model", provider));
    if (isRemote && provider !== "gemini" && dimensions === undefined) addIssue(missing("dimensions", provider));
  });

const LlmSettings = z
  .strictObject({
    provider: z
      .enum(["none", ...LLM_PROVIDERS])
      .default("none")
      .describe(
        "The language model that chooses memories from sessions; none: nothing is sent, and sessions become no memories by themselves.",
      ),
    model: Model.optional().describe("Required with a provider."),
    baseUrl: Address.optional().describe(
      "Address of a compatible server, such as `http://127.0.0.1:11434/v1`; the provider's own by default.",
    ),
    keyVariable: KeyVariable.optional().describe(
      "Name of the variable that holds the key; by default `GEMINI_API_KEY`, `OPENAI_API_KEY` or `ANTHROPIC_API_KEY`, but none with `baseUrl`.",
    ),
    timeoutMs: z
      .int()
      .min(100)
      .max(600_000)
      .default(30_000)
      .describe("How long one request may take, with its repetitions."),
    sessionTokens: Tokens.default(100_000).describe(
      "Tokens a session may use, in and out; a request beyond is not made.",
    ),
    dayTokens: Tokens.default(500_000).describe("Tokens a day (UTC) may use, in all projects."),
    inputPrice: Price.optional().describe("Price of a million input tokens, in any currency; `inspect` adds it up."),
    outputPrice: Price.optional().describe("Price of a million output tokens."),
  })
  .superRefine(({ provider, model }, { addIssue }) => {
    if (provider !== "none" && model === undefined) addIssue(missing("model", provider));
  });

const missing = (name: string, provider: string) => ({
  code: "custom" as const,
  path: [name],
  message: `the provider ${provider} needs it`,
});

/**
 * The settings of a team: where the shared memory is, and who one is there.
 *
 * They come from the person's own file, as those of remote providers do: a project or a variable must not be able to send
 * a memory to somebody's server. A password is never among them.
 */
const Server = z
  .string()
  .max(2_000)
  .superRefine((address, issues) => {
    const fault = serverFault(address);
    if (fault) issues.addIssue({ code: "custom", message: `the address ${fault}` });
  });

const Path = z.string().min(1).max(4_096);

const TeamSettings = z.strictObject({
  url: Server.optional().describe(
    "The team's Postgres, such as `postgres://me@db.example/stele`, without a password. Projects are shared only after `stele team push` or `join`.",
  ),
  name: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[^\p{C}]+$/u, "expected a name without control characters")
    .optional()
    .describe("Your name in the journal, beside your role in the database."),
  tls: z
    .enum(["verify", "off"])
    .optional()
    .describe(
      "verify: encrypted, and the server must prove its name; off: others on the way can read everything. When omitted: verify, except on this machine.",
    ),
  caFile: Path.optional().describe(
    "Certificate of the authority that signed the server's, as an absolute path; the well-known authorities when omitted.",
  ),
  passwordFile: Path.optional().describe(
    "File with the password, as an absolute path, that nobody else can read; `STELE_TEAM_PASSWORD` goes before it.",
  ),
});

const days = (initial: number) => z.int().min(1).max(36_500).default(initial);

export const Config = z.strictObject({
  embedder: EmbedderSettings.prefault({}),
  llm: LlmSettings.prefault({}),
  team: TeamSettings.prefault({}),
  recall: z
    .strictObject({
      recipe: setting(z.enum(RECIPE_NAMES).default("own"), "STELE_RECALL_RECIPE").describe(
        "How the rankers' results are combined; own: the best recipe for each kind of item.",
      ),
      vectorWeight: setting(z.number().min(0).max(1).default(0.7), "STELE_RECALL_VECTOR_WEIGHT").describe(
        "Weight of meaning in the recipe `weighted`.",
      ),
      keywordWeight: setting(z.number().min(0).max(1).default(0.3), "STELE_RECALL_KEYWORD_WEIGHT").describe(
        "Weight of words in the recipe `weighted`.",
      ),
      rrfDamping: setting(z.int().min(0).max(10_000).default(RANK_DAMPING), "STELE_RECALL_RRF_DAMPING").describe(
        "`k` of the recipe `rrf`: larger values make top ranks count less.",
      ),
      limit: setting(z.int().min(1).max(50).default(10), "STELE_RECALL_LIMIT").describe(
        "Default number of hits of a search.",
      ),
      history: setting(z.enum(["on", "off"]).default("on"), "STELE_RECALL_HISTORY").describe(
        "on: a hit shows what it replaced and what was rejected on its subject; off: it does not. Neither is ever a hit itself.",
      ),
      rrfEntityWeight: setting(z.number().min(0).max(10).default(0), "STELE_RECALL_RRF_ENTITY_WEIGHT").describe(
        "Weight in the recipe `rrf` of names, files and symbols the question mentions; words and meaning weigh 1.",
      ),
      rrfTemporalWeight: setting(z.number().min(0).max(10).default(0), "STELE_RECALL_RRF_TEMPORAL_WEIGHT").describe(
        "Weight in the recipe `rrf` of dates the question mentions.",
      ),
      validityWindowDays: setting(z.int().min(0).max(36_500).default(90), "STELE_RECALL_VALIDITY_WINDOW_DAYS").describe(
        "How far back the history of a hit reaches.",
      ),
      drainPassages: setting(z.int().min(0).max(10_000).default(256), "STELE_RECALL_DRAIN_PASSAGES").describe(
        "A recall first embeds up to this many pending passages; a larger backlog is left alone.",
      ),
      modelWaitMs: setting(z.int().min(0).max(60_000).default(5_000), "STELE_RECALL_MODEL_WAIT_MS").describe(
        "How long a recall waits for the model before it answers without it.",
      ),
    })
    .prefault({}),
  time: z
    .strictObject({
      // Whether there is such a zone is found out when it is needed: looking it up would delay every command.
      zone: setting(z.string().min(1).max(100).optional(), "STELE_TIME_ZONE").describe(
        "Your time zone, such as Europe/Berlin, by which `today` and a date without a zone are understood; the system's when omitted.",
      ),
    })
    .prefault({}),
  working: z
    .strictObject({
      ttlSeconds: setting(z.int().min(1).max(31_536_000).default(3_600), "STELE_WORKING_TTL_SECONDS").describe(
        "Lifetime of a working memory.",
      ),
      capacity: setting(z.int().min(1).max(100_000).default(1_000), "STELE_WORKING_CAPACITY").describe(
        "Working memories per session; the least recently used are removed first.",
      ),
    })
    .prefault({}),
  context: z
    .strictObject({
      injection: setting(z.enum(["on", "start", "off"]).default("on"), "STELE_CONTEXT_INJECTION").describe(
        "What hooks hand to sessions: on: the surface at the start, with a prompt what is recalled for it, and how an earlier session got over an error; start: the surface only; off: nothing.",
      ),
      nudges: setting(z.enum(["on", "off"]).default("on"), "STELE_CONTEXT_NUDGES").describe(
        "Whether a prompt that settles or corrects something brings one line that asks the agent to keep it, once a session for each kind.",
      ),
      promptTokens: setting(z.int().min(100).max(2_000).default(300), "STELE_CONTEXT_PROMPT_TOKENS").describe(
        "The most tokens that are handed over with a prompt.",
      ),
      startMs: setting(z.int().min(1).max(60_000).default(2_000), "STELE_CONTEXT_START_MS").describe(
        "How long the start of a session waits for its memory; afterwards it gets none.",
      ),
      promptMs: setting(z.int().min(1).max(60_000).default(300), "STELE_CONTEXT_PROMPT_MS").describe(
        "The same of a prompt.",
      ),
      working: setting(z.int().min(0).max(50).default(10), "STELE_CONTEXT_WORKING").describe(
        "Working memories in the answer of `context`.",
      ),
      relevant: setting(z.int().min(0).max(50).default(10), "STELE_CONTEXT_RELEVANT").describe(
        "Relevant memories in it.",
      ),
      patterns: setting(z.int().min(0).max(20).default(5), "STELE_CONTEXT_PATTERNS").describe("Patterns in it."),
      suggestions: setting(z.int().min(0).max(20).default(5), "STELE_CONTEXT_SUGGESTIONS").describe(
        "Suggestions in it.",
      ),
      budgetTokens: setting(z.int().min(50).max(20_000).default(1_500), "STELE_CONTEXT_BUDGET_TOKENS").describe(
        "Tokens that it may take, estimated; what exceeds them is left out from the end.",
      ),
    })
    .prefault({}),
  routing: z
    .strictObject({
      preset: setting(z.enum(ROUTING_PRESETS).default("default"), "STELE_ROUTING_PRESET").describe(
        "default: what is learnt in a project stays there, except your preferences; seed: conventions, patterns and generic code are global too, and every global memory is shown in every project.",
      ),
    })
    .prefault({}),
  remember: z
    .strictObject({
      compareMs: setting(z.int().min(0).max(60_000).default(10), "STELE_REMEMBER_COMPARE_MS").describe(
        "How long a write looks for what it is near before it answers, beyond the first search; 0 to skip it.",
      ),
    })
    .prefault({}),
  decisions: z
    .strictObject({
      // It has no variable, so that nobody sets it in passing. This guards against accidents, not attackers: anyone
      // able to edit this file or to name another settings folder can change it.
      ratify: z
        .enum(["asked", "unattended"])
        .default("asked")
        .describe(
          "asked: only a person may ratify, roll back, erase, restore or import decisions; unattended: every caller may where nobody can be asked.",
        ),
    })
    .prefault({}),
  evidence: z
    .strictObject({
      archiveDays: setting(z.int().min(1).max(36_500).default(180), "STELE_EVIDENCE_ARCHIVE_DAYS").describe(
        "Days after which evidence is compressed and leaves the index; `why --archived` still finds it.",
      ),
    })
    .prefault({}),
  decay: z
    .strictObject({
      patternDays: setting(days(60), "STELE_DECAY_PATTERN_DAYS").describe(
        "Days in which the confidence of a pattern or convention halves.",
      ),
      gotchaDays: setting(days(45), "STELE_DECAY_GOTCHA_DAYS").describe("The same for a gotcha or bug fix."),
      progressDays: setting(days(7), "STELE_DECAY_PROGRESS_DAYS").describe("The same for progress."),
      otherDays: setting(days(30), "STELE_DECAY_OTHER_DAYS").describe(
        "The same for all other types, except architecture, code and its descriptions, which never fade.",
      ),
      archiveBelow: setting(z.number().min(0).max(1).default(0.3), "STELE_DECAY_ARCHIVE_BELOW").describe(
        "A memory that was inferred or extracted, and not pinned, is archived below this confidence; at 0 never.",
      ),
      archiveAfterDays: setting(days(14), "STELE_DECAY_ARCHIVE_AFTER_DAYS").describe(
        "How long its confidence must have been that low, without access.",
      ),
      globalDays: setting(days(14), "STELE_DECAY_GLOBAL_DAYS").describe(
        "Days without access after which the relevance of a global memory has fallen from 1 to 0.44.",
      ),
      globalBelow: setting(z.number().min(0).max(1).default(0.2), "STELE_DECAY_GLOBAL_BELOW").describe(
        "A global memory is archived only if its relevance is below this too; at 0 never.",
      ),
      pruneAfterDays: setting(days(30), "STELE_DECAY_PRUNE_AFTER_DAYS").describe(
        "Days without access after which an archived memory is pruned.",
      ),
      eraseAfterDays: setting(days(90), "STELE_DECAY_ERASE_AFTER_DAYS").describe(
        "Days without access after which a pruned memory is erased; until then `update --status active` restores it.",
      ),
    })
    .prefault({}),
  retention: z
    .strictObject({
      accessDays: setting(days(365), "STELE_RETENTION_ACCESS_DAYS").describe(
        "Days for which the access log keeps what was read and asked; at most 100,000 entries.",
      ),
      journalDays: setting(days(365), "STELE_RETENTION_JOURNAL_DAYS").describe(
        "Days for which the journal keeps earlier states of memories, which `rollback` needs; those of decisions stay.",
      ),
    })
    .prefault({}),
  capture: z
    .strictObject({
      enabled: setting(z.enum(["on", "off"]).default("on"), "STELE_CAPTURE").describe(
        "off: hooks record nothing in any project; `stele pause` stops them in one.",
      ),
      evidenceMegabytes: setting(
        z.int().min(1).max(1_000_000).default(256),
        "STELE_CAPTURE_EVIDENCE_MEGABYTES",
      ).describe("Size up to which transcripts are kept as evidence."),
      eventDays: setting(days(30), "STELE_CAPTURE_EVENT_DAYS").describe(
        "Days for which the events of sessions are kept; within them an event that is reported again is known.",
      ),
    })
    .prefault({}),
  surface: z
    .strictObject({
      targetTokens: setting(z.int().min(50).max(1_500).default(400), "STELE_SURFACE_TARGET_TOKENS").describe(
        "Lines are added to the surface until it has so many tokens.",
      ),
      hardTokens: setting(z.int().min(150).max(2_000).default(550), "STELE_SURFACE_HARD_TOKENS").describe(
        "The surface never has more tokens than this, however they are counted.",
      ),
      recentShare: setting(z.number().min(0.3).max(1).default(0.6), "STELE_SURFACE_RECENT_SHARE").describe(
        "The part of the surface that the last sessions may take.",
      ),
      lineCharacters: setting(z.int().min(40).max(400).default(240), "STELE_SURFACE_LINE_CHARACTERS").describe(
        "Longer texts are cut to so many characters.",
      ),
      maxLines: setting(z.int().min(1).max(100).default(20), "STELE_SURFACE_MAX_LINES").describe(
        "The surface never has more lines than this.",
      ),
    })
    .prefault({}),
  index: IndexSettings.prefault({}),
  notes: NotesSettings.prefault({}),
  dailyLog: z
    .strictObject({
      enabled: setting(z.enum(["on", "off"]).default("off"), "STELE_DAILY_LOG").describe(
        "on: a Markdown file a day lists what was remembered, captured, proposed and decided, for you to read.",
      ),
      folder: setting(z.string().min(1).max(4_096).optional(), "STELE_DAILY_LOG_FOLDER").describe(
        "Where these files are, an absolute path or one from `~`; `daily` in the data folder when omitted. Never in a project or the notes folder.",
      ),
    })
    .prefault({}),
  labels: LabelSettings.prefault({}),
  data: z
    .strictObject({
      durability: setting(z.enum(["normal", "full"]).default("normal"), "STELE_DATA_DURABILITY").describe(
        "normal: a power failure may lose the last writes, a crash never does; full: neither does, and every write waits for the disk.",
      ),
    })
    .prefault({}),
  backup: z
    .strictObject({
      keep: setting(z.int().min(1).max(1_000).default(5), "STELE_BACKUP_KEEP").describe(
        "Backups kept per project and kind (asked for, daily, replaced by a restore); the oldest are removed first.",
      ),
      daily: setting(z.enum(["on", "off"]).default("on"), "STELE_BACKUP_DAILY").describe(
        "on: a server makes a backup once a day if anything has changed; off: only `stele backup` does.",
      ),
      keepDays: setting(days(30), "STELE_BACKUP_KEEP_DAYS").describe(
        "Days after which a daily backup is removed; the newest always stays.",
      ),
      megabytes: setting(z.int().min(1).max(1_000_000).default(1_024), "STELE_BACKUP_MEGABYTES").describe(
        "Room for the daily backups of a project; the oldest are removed, and one that is larger alone is not made.",
      ),
    })
    .prefault({}),
  log: z
    .strictObject({
      level: setting(z.enum(["silent", "warn", "debug"]).default("warn"), "STELE_LOG_LEVEL").describe(
        "What is logged to stderr.",
      ),
    })
    .prefault({}),
});
export type Config = z.infer<typeof Config>;
