/**
 * What a name says about its value: `db_password` names a password, `cacheKey` nothing secret.
 *
 * The last word decides, whatever stands before it; a few words rule a secret out. Refused: secrets under names that do
 * not end in such a word.
 */

/** `key`: only the word "key", which names more harmless things than secret ones, so its value must be random. */
export type NameKind = "password" | "secret" | "token" | "key";

export function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.trim().split(/\s+/));
}

/** Words that make a key a secret one. */
const QUALIFIERS = wordSet(`
  api access secret private auth encryption encrypt signing sign master service account storage deploy admin
  app application client consumer server shared hmac aes jwt session cookie license root iam cloud cloudant
  ibm cos sl softlayer aws azure gcp google github gitlab openai anthropic claude gemini mistral cohere stripe
  twilio sendgrid mailgun datadog newrelic sentry heroku cloudflare algolia firebase supabase okta meraki sumo
  sumologic slack discord telegram notion linear`);
/** Words that may follow the decisive one. */
const SUFFIXES = wordSet(`
  prod production dev development live test testing staging default base value secondary plain
  raw env old new current main local ci string str data b64 base64 encoded`);
/** Words that rule out a secret under any name. */
const DENIALS = wordSet("hash hashed not no fake dummy example");
/** Words that rule out a secret token or key: these point, page, parse or are meant to be seen. */
const HARMLESS = wordSet(`
  public pub publishable csrf xsrf authenticity next previous prev page pagination continuation cancel cancellation
  primary foreign partition sort cache stop pad eos bos mask special first last end start design syntax lexer hot
  shortcut sync delta resume idempotency dedup dedupe site websocket restore`);
/** Words that rule out a key without a qualifier: these find something, label something or are pressed. */
const FINDING = wordSet(`
  object bucket blob s3 index range row column lookup search unique composite candidate group map item node entity record
  metadata tag label header query param state event metric config setting feature flag content digest commit etag file
  path correlation trace request fingerprint sequence timestamp date version schema table field property prop attribute
  widget component view screen route section tree leaf parent child shard translation i18n lang locale message routing
  registry press pressed arrow enter escape tab shift alt meta ctrl function modifier answer host known gpg pgp pub kid
  ssh map dict hash memo option menu build artifact layer turbo job image asset chunk`);

/** Words for a password in languages that write it with these letters, also without accents. Lower case. */
export const PASSWORD_WORDS = [
  ..."wachtwoord lösenord losenord passord adgangskode kodeord lykilorð salasana hasło haslo heslo jelszó jelszo".split(
    " ",
  ),
  ..."lozinka zaporka geslo slaptažodis slaptazodis parool parolă parola şifre sifre senha contraseña contrasena".split(
    " ",
  ),
  ..."contrasenya contrasinal pasahitza пароль парола лозинка".split(" "),
];
const PASSWORD = new RegExp(
  `(?:passwords?|passwd|passphrase|passcode|passwort|kennwort|pwd|mdp|${PASSWORD_WORDS.join("|")})$|^(?:pass|pw|psw|psk)$`,
);
const PASS = /(?<!by|com|encom|sur|tres|over|under|multi|single|render|one|two)pass$/;
const WORDS_IN_KEY = /(?:mon|don|tur|hoc|whis|joc|hot|lac|ris|mic|smo|pass|sho|wal|ma|pub|public)keys?$/;

/** The kind of secret a name suggests; most names suggest none. A word apart from the name only qualifies it. */
export function nameKind(name: string): NameKind | undefined {
  const [own, apart] = partsOf(name);
  const parts = [...apart, ...own];
  if (parts.some((part) => DENIALS.has(part))) return undefined;
  while (own.length > 1 && isSuffix(own.at(-1)!)) own.pop();
  const last = (own.at(-1) ?? "").replace(/\d{1,3}$/, "");
  if (PASSWORD.test(last) || PASS.test(last)) return "password";
  // Half of a login, unlike the id of a client's secret.
  if (own.join(" ") === "secret id") return "secret";
  if (/(?:secret|credential|cred)s?$/.test(last) || last.endsWith("dockerconfigjson")) return "secret";
  if (parts.some((part) => HARMLESS.has(part))) return undefined;
  if (/(?:api|secret|access|private|auth|^s)keys?$/.test(last)) return "secret";
  if (/^(?:salt|pepper|hmac)$/.test(last)) return "token";
  if (last === "auth") return "key";
  if (/tokens?$/.test(last) || (last === "pat" && own.length > 1)) return "token";
  if (!/keys?$/.test(last) || WORDS_IN_KEY.test(last)) return undefined;
  const before = [...apart, ...own.slice(0, -1)];
  if (/^keys?$/.test(last) && before.some((part) => QUALIFIERS.has(part) || part.endsWith("api"))) return "secret";
  return before.some((part) => FINDING.has(part)) ? undefined : "key";
}

/** The words of the name, and those that stand apart from it. */
function partsOf(name: string): [own: string[], apart: string[]] {
  const [apart, own] = name.includes(" ") ? name.split(/ (?=[^ ]*$)/) : ["", name];
  return [wordsOf(own ?? ""), wordsOf(apart ?? "")];
}

export const wordsOf = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z0-9\u00df-\u024f\u0430-\u045f]+/)
    .filter(Boolean);

function isSuffix(part: string): boolean {
  return /^v?\d+$/.test(part) || SUFFIXES.has(part) || SUFFIXES.has(part.replace(/\d{1,2}$/, ""));
}

/** Whether nothing but "key" is said: a key of a map as often as one that opens something. */
export const isBareKey = (name: string): boolean => /^(?:\S{0,64} )?keys?$/i.test(name);
