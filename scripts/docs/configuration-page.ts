/** Settings reference, generated from the schema, and where files are stored. */
import { PROJECT_GROUPS, settings } from "../../src/app/config.ts";
import { PROJECT_FILE } from "../../src/app/environment.ts";
import { defaultOf, inputSchema, table, typeOf } from "./schema-words.ts";

export function configurationPage(): string {
  const rows = settings().map(({ path, env, schema }) => [
    `\`${path}\``,
    env ? `\`${env}\`` : PROJECT_GROUPS.includes(path.split(".")[0]!) ? "files only" : "your file only",
    typeOf(inputSchema(schema)),
    defaultOf(schema),
    inputSchema(schema).description ?? "",
  ]);
  return [
    "# Configuration",
    "Stele works without any settings. They are read from your own file, the project's file, the environment and the caller, in this order; later ones win, but a project's file never overrides yours (see below). An unknown key is an error that names the nearest known one.",
    "## Settings",
    table(["setting", "environment", "type", "default", "meaning"], rows),
    'A file holds the same names as JSON: `{"embedder": {"provider": "none"}}`.',
    "## Where files are stored",
    table(
      ["system", "data", "your settings"],
      [
        [
          "Linux",
          "`$XDG_DATA_HOME/stele`, else `~/.local/share/stele`",
          "`$XDG_CONFIG_HOME/stele/config.json`, else `~/.config/stele/config.json`",
        ],
        ["macOS", "`~/Library/Application Support/stele`", "`config.json` in the data folder"],
        ["Windows", "`%LOCALAPPDATA%\\stele`", "`config.json` in the data folder"],
      ],
    ),
    "`STELE_HOME` moves the data folder; your settings are then `config.json` inside it. It names a folder of its own: a root or your home folder is refused.",
    [
      "- `global.db`: your own memories, independent of any project, and the list of projects.",
      "- `spaces/<id>.db`: one file per project.",
      "- `backups/<id>/`: backups made by `backup` and `restore`, each with a manifest; `backups/damaged-*`: files that a recovery replaced.",
      "- `models/`: the built model, a cache of 23 MB; `compiled/`: compiled code. Both can be deleted at any time.",
    ].join("\n"),
    "## What a project may set",
    projectRule(),
    "## Other variables",
    table(
      ["variable", "meaning"],
      [
        ["`STELE_HOME`", "The data folder."],
        ["`STELE_MODELS`", "The folder of the built model, instead of `models` in the data folder."],
        ["`STELE_SESSION`", "Names the session; defaults to the host's own id, else one per process."],
        ["`CLAUDE_PROJECT_DIR`", "Set by the host: the project of an MCP server without `--project`."],
      ],
    ),
    "A shell run by an agent or a build machine counts as unattended: nobody is asked there. " +
      "This is a seatbelt, not a wall: anyone who can edit your settings file, or make Stele read another one, can change it.",
  ].join("\n\n");
}

function projectRule(): string {
  const groups = PROJECT_GROUPS.map((group) => `\`${group}\``).join(", ");
  return [
    `A repository may carry a file \`${PROJECT_FILE}\` in its root.`,
    `A cloned repository is untrusted, so that file may set only the groups ${groups}; providers and paths are yours alone, and any other group in it is an error.`,
    "It cannot override your own settings either: its `index.excludes` are added to yours, which take precedence; your `labels.rules` come before its own; for `index.files`, `fileBytes`, `freshMs` and `waitMs` the lower of your value (or the default) and the project's applies; its other `index` settings and those of the `surface` apply only if your file does not set them.",
  ].join(" ");
}
