/**
 * Passwords given to commands by options that do not say so: `mysql -p…`, `curl -u user:…`.
 *
 * What an option means depends on the command before it, on the same line. Refused: commands in which the same letter
 * usually means something else.
 */
import { once, type SecretRule } from "./vendors.ts";

/** [commands, option with what stands between it and the password]. The option is matched first, then the command before it. */
const OPTIONS: readonly [commands: string, option: string][] = [
  ["sshpass", String.raw`\s-p[ =]{0,4}`],
  ["mysql\\w{0,12}|mariadb(?:-[a-z]{1,12})?", String.raw`\s-p(?=\S)`],
  ["login", String.raw`\s-p[ =]{1,4}`],
  ["mongo(?:sh|dump|restore|export|import|stat|top)?", String.raw`\s-p[ =]{1,4}`],
  ["redis-cli|keydb-cli|valkey-cli", String.raw`\s-a[ =]{0,4}`],
  ["ldap(?:search|modify|add|delete|whoami|passwd)", String.raw`\s-w[ =]{0,4}`],
  ["mosquitto_(?:pub|sub)|sqlcmd|bcp|osql|zip|unzip", String.raw`\s-P[ =]{0,4}`],
  ["7z[ar]?|rar|unrar", String.raw`\s-p(?=\S)`],
  ["xfreerdp|wfreerdp|mstsc", String.raw`\s\/p:`],
  ["smbclient|rpcclient|winexe|net", String.raw`\s-U[ =]{0,4}["']?[^\s%"']{1,80}%`],
  ["net", String.raw`\suse\s{1,4}(?:\w{1,2}:\s{1,4})?\\\\\S{1,120}\s{1,4}(?!\/|\n)`],
  ["sqlplus|sqlldr|expdp|impdp|rman", String.raw`\s[\w$#]{1,40}\/`],
  ["rclone", String.raw`\sobscure[ ]{1,4}`],
  ["lftp", String.raw`\s-u[ =]{0,4}["']?[^\s,"']{1,80},`],
  ["htpasswd", String.raw`\s-\w{0,4}b\w{0,4}\s{1,4}\S{1,120}\s{1,4}\S{1,80}\s{1,4}`],
  ["openssl|keytool|gpg", String.raw`\s(?:-pass(?:in|out)?[ =]{1,4}pass:|--passphrase[ =]{1,4}|-k[ =]{1,4})`],
  ["rabbitmqctl", String.raw`\s(?:add_user|change_password)\s{1,4}\S{1,80}\s{1,4}`],
  ["useradd|usermod|cqlsh|cypher-shell", String.raw`\s-p[ =]{1,4}`],
  // In prose, a plain word follows.
  [
    "net",
    String.raw`\suser\s{1,4}(?:"[^"\n]{1,60}"|[\w.-]{1,60})\s{1,4}(?!\/|\*)(?=\S{0,80}[^a-z\s]|\S{1,80}\s{1,4}\/)`,
  ],
  ["ssh-keygen", String.raw`\s-[NP][ =]{1,4}`],
  ["ipmitool", String.raw`\s-P[ =]{1,4}`],
  ["skopeo|oras|crane", String.raw`\s--(?:src-|dest-)?creds[ =]{1,4}["']?[^\s:"']{1,80}:`],
];

// In quotation marks, it may have blanks.
const PASSWORD = String.raw`["']?(?<secret>(?<=["'])[^"'\n\\]{4,200}(?=["'])|[^\s"'\\]{4,200})`;

function commandOption(): RegExp {
  const alternatives = OPTIONS.map(
    ([commands, option]) => String.raw`${option}(?<=\b(?:${commands})\b[^\n|;&]{0,200})`,
  );
  return new RegExp(`(?:${alternatives.join("|")})${PASSWORD}`, "dg");
}

/** A name that says that its value is none. */
const PLAIN =
  "(?:[\\w.-]{0,40}[_.-])?(?:user(?:name)?|host(?:name)?|port|email|region|zone|database|name|env(?:ironment)?|level|ttl|stage|mode|debug|locale|tz)=";
/** The rest of a command, which may go on in the next line. */
const REST = String.raw`(?:[^\n|;&\\]|\\\r?\n|\\){0,300}`;
const STORED_PAIR = String.raw`\s(?!${PLAIN})[A-Za-z_][\w.-]{0,60}=(?![@<])(?<=\b(?:vault\s{1,4}kv\s{1,4}(?:put|patch)|secrets\s{1,4}set)\s${REST})`;
const STORED_OPTION = String.raw`\s(?:(?:--secret-string|--value|--body)[ =]{1,4}|-b[ =]{0,4})(?!file:)(?<=\b(?:secretsmanager\s{1,4}(?:create-secret|put-secret-value|update-secret)|secrets?\s{1,4}set|put-parameter(?=\s${REST}\bSecureString)|SecureString)\b${REST})`;

const STORING = ["kv put", "kv patch", "secrets set", "secret set", "secretsmanager", "securestring"];
/** In quotation marks, with blanks, and not about passwords. */
const PHRASE = String.raw`(?<quote>["'])(?![{$])(?=[^"'\n]{1,200} )(?![^"'\n]{0,200}[Pp]ass(?:word|phrase))(?<secret>[^"'\n\\]{8,200})\k<quote>`;

/** In the name of a text that people read. */
const MESSAGE =
  "(?:ERR|INVALID|WRONG|MISSING|WEAK|LABEL|HINT|MESSAGE|MSG|PROMPT|TITLE|TEXT|PLACEHOLDER|FORGOT|RESET|CHANGE|ENTER|CONFIRM)";

export const commandRules: readonly SecretRule[] = [
  {
    name: "command-option",
    keywords: [
      ...[
        "sshpass",
        "net use",
        "mysql",
        "mariadb",
        "login -",
        "login ",
        "mongo",
        "redis-cli",
        "keydb-cli",
        "valkey-cli",
        "ldap",
      ],
      ...["mosquitto_", "sqlcmd", "bcp ", "osql", "zip -", "7z ", "7za ", "rar ", "freerdp", "mstsc", "smbclient"],
      ...[
        "rpcclient",
        "sqlplus",
        "sqlldr",
        "expdp",
        "impdp",
        "rman ",
        "rclone",
        "winexe",
        "lftp",
        "htpasswd",
        "openssl",
        "keytool",
        "gpg ",
        "rabbitmqctl",
        "skopeo",
        "oras ",
        "crane ",
        "useradd",
        "usermod",
        "cqlsh",
        "cypher-shell",
        "net user",
        "ssh-keygen",
        "ipmitool",
      ],
    ],
    pattern: once(commandOption),
    minEntropy: 0,
    judge: "password",
  },
  {
    // Whatever its name, what is put into a secret is one.
    name: "literal-secret",
    keywords: ["--from-literal"],
    pattern: once(
      () =>
        /--from-literal[ =]["']?(?!(?:user(?:name)?|host(?:name)?|port|email|region|database|name)=)[\w.-]{1,120}=["']?(?<secret>[^\s"'\\]{4,300})(?<=\bcreate\s{1,4}secret\s[^;&|]{0,1200})/dgi,
    ),
    minEntropy: 0,
    judge: "password",
  },
  {
    // The same for the commands of stores of secrets, unless the name says otherwise.
    name: "stored-secret",
    keywords: STORING,
    pattern: once(() => new RegExp(`(?:${STORED_PAIR}|${STORED_OPTION})["']?(?<secret>[^\\s"'\\\\]{4,300})`, "dgi")),
    minEntropy: 0,
    judge: "typed",
  },
  {
    // The same for a phrase; JSON is judged by the names in it.
    name: "stored-phrase",
    keywords: STORING,
    pattern: once(() => new RegExp(`(?:${STORED_PAIR}|${STORED_OPTION})${PHRASE}`, "dgi")),
    minEntropy: 0,
    judge: "shape",
  },
  {
    // A phrase, where a shell or an env file sets it; with blanks around the sign it may be the text of a message.
    name: "phrase-variable",
    keywords: ["passphrase=", "password=", "passwd="],
    pattern: once(
      () =>
        new RegExp(
          String.raw`(?<![\w$.-])(?![A-Z0-9_]{0,60}${MESSAGE})[A-Z][A-Z0-9_]{0,60}(?<=PASS(?:PHRASE|WORD|WD))=${PHRASE}`,
          "dg",
        ),
    ),
    minEntropy: 0,
    judge: "shape",
  },
  {
    // A user and a password before the address, as Oracle's drivers read it.
    name: "connection-password",
    keywords: ["jdbc:oracle:"],
    pattern: once(() => /jdbc:oracle:\w{2,6}:(?<key>[\w$#"]{1,60})\/(?<secret>[^\s@/'"]{4,200})@/dg),
    minEntropy: 0,
    judge: "password",
  },
  {
    name: "generated-secret",
    keywords: ["secretgenerator"],
    pattern: once(
      () =>
        /\n[ \t]{0,12}- ["']?(?!(?:user(?:name)?|host(?:name)?|port|email|region|database|name)=)[\w.-]{1,120}=["']?(?<secret>[^\s"'\\]{4,300})(?<=\bsecretGenerator:[^#]{0,800})/dg,
    ),
    minEntropy: 0,
    judge: "password",
  },
  {
    name: "command-password",
    keywords: ["curl", "wget", "http -", "https -"],
    pattern: once(
      () =>
        /\s(?:-u|--user|-a|--auth)[ =]{0,4}(?<=\b(?:curl|wget|https?)\b[^\n]{0,200})["']?[^\s:"'/]{0,80}:["']?(?<secret>[^\s"'/]{6,200})/dg,
    ),
    minEntropy: 0,
    judge: "typed",
  },
  {
    // Services that only use keys take the key as the user name, without a password.
    name: "command-key",
    keywords: ["curl", "wget"],
    pattern: once(
      () =>
        /\s(?:-u|--user)[ =]{0,4}(?<=\b(?:curl|wget)\b[^\n]{0,200})["']?(?<secret>[^\s:"']{12,200}):(?=["']?(?:\s|$))/dg,
    ),
    minEntropy: 0,
    judge: "header",
  },
  {
    // What these commands take is a key, though nothing in the line says so.
    name: "login-key",
    keywords: [
      "wandb login",
      "cargo login",
      "vault login",
      "snyk auth",
      "authtoken ",
      "cloudflared service",
      "pypi-token.",
    ],
    pattern: once(
      () =>
        /\b(?:(?:wandb|cargo|vault)\s{1,4}login|snyk\s{1,4}auth|ngrok\s{1,4}(?:config\s{1,4}add-)?authtoken|cloudflared(?:\.exe)?\s{1,4}service\s{1,4}install|poetry\s{1,4}config\s{1,4}pypi-token\.[\w-]{1,60})(?:\s{1,4}--?[a-z][\w-]{1,40}(?:[ =]\S{1,80})?){0,3}\s{1,4}["']?(?<secret>[\w.~+/=-]{16,2000})/dg,
    ),
    minEntropy: 0,
    judge: "header",
  },
  {
    name: "piped-password",
    keywords: ["password-stdin", "sudo -s", "chpasswd"],
    pattern: once(
      () =>
        /\becho\s{1,4}(?:-n\s{1,4})?["']?(?:[\w.-]{1,40}:(?=[^\s|]{4,200}\s{0,4}\|\s{0,4}(?:sudo\s{1,4})?chpasswd))?(?<secret>[^\s"'|]{4,200})["']?\s{0,4}\|[^\n|]{0,120}(?:--password-stdin|sudo -S|chpasswd)/dg,
    ),
    minEntropy: 0,
    judge: "password",
  },
];
