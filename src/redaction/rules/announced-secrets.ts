/**
 * Secrets that the line above announces: a sentence that ends with "the token:", the user of a login, or a command that
 * prints one.
 *
 * The value has its line to itself. Refused: what follows words about fingerprints, digests and public keys, and
 * commands whose output goes elsewhere.
 */
import {
  isAssignedSecret,
  isPassword,
  isPlaceholder,
  isReference,
  isSaidPassword,
  isScrambled,
  readsLikeWords,
  RELUCTANTLY,
} from "./likeness.ts";
import { nameKind, NAMES, PASSWORD_WORDS } from "./names.ts";
import { aloneOn, type Found, type Line, lineAfter, lineBefore, type SecretFinder } from "./secret-finder.ts";

const LONGEST_SENTENCE = 400;
const NOUN =
  /(?:\b[\w-]{1,40} )?[\w-]{0,60}(?:token|key|secret|password|passphrase|passcode|passwort|kennwort|credential|\bPAT)s?\b/gi;
const FOREIGN =
  /schlüssel|zugangscode|\bclé\b|jeton|mot de passe|contraseña|clave|senha|密码|密钥|令牌|口令|パスワード|トークン/i;
const ABOUT_OTHERS =
  /\b(?:public|fingerprint|sha-?\d{0,3}|md5|hash(?:es|ed)?|digest|checksum|cache|restore|commit|signature|certificate|thumbprint|revoked|expected|received|example|kid|key id|nonce)\b|öffentlich|publique|pública|公钥/i;
/** A few words in a comment or a heading. */
const TITLE = /^[ \t]{0,40}(?:#{1,6}|\/\/|--|;)[ \t]{0,4}(?:[\w'-]{1,40}[ \t]){0,4}[\w-]{1,60}[ \t]{0,8}$/;
const ENDS_OPEN = /(?:[:：👇↓→]|->|=>)[*_\s]{0,6}$/u;

export const announcedFinder: SecretFinder = {
  name: "announced-secret",
  keywords: [
    ...[...NAMES, "schlüssel", "zugangscode", "clé", "jeton", "contraseña", "clave", "senha", "密码", "密钥"],
    ...["令牌", "口令", "パスワード", "トークン", "user", "login", "log-in"],
  ],
  find(lines) {
    const found: Found[] = [];
    for (let at = 1; at < lines.length; at++) {
      const alone = aloneOn(lines[at]!);
      const before = alone === null || !/\d/.test(alone.value) ? null : lineBefore(lines, at);
      if (alone === null || before === null) continue;
      const { text } = lines[before]!;
      if ((LOGIN.test(text) || PASSWORD.test(text) || isUserOf(lines, before)) && looksMixed(alone.value)) {
        found.push(alone);
        continue;
      }
      const names = text.length > LONGEST_SENTENCE || ABOUT_OTHERS.test(text) ? [] : announcedNames(text);
      if (names.some((name) => isAnnounced(text, name, alone.value))) found.push(alone);
    }
    return found;
  },
};

const OPEN_LOGIN =
  /^[ \t>*#-]{0,40}(?:[\w-]{1,40} ){0,3}["'`*]{0,3}(?:credential|cred|log-?in)s?["'`*]{0,3}[ \t]{0,4}:[*\s]{0,6}$/i;
/** One that says who logs in, in this line or the next. */
const LOGIN = new RegExp(
  `${OPEN_LOGIN.source}|^[ \\t>*#-]{0,40}["'\`*]{0,3}(?:user(?:[ _-]?name)?|log-?in)["'\`*]{0,3}[ \\t]{0,4}:[*]{0,3}[ \\t]{0,4}["'\`]?[\\w.@+-]{0,60}["'\`]?[ \\t]{0,8}$`,
  "i",
);

/** The word alone, as the label of a field. */
const PASSWORD = new RegExp(
  `^[ \\t>*#-]{0,40}["'\`*]{0,3}(?:pass(?:word|phrase|code|wort)|kennwort|${PASSWORD_WORDS.join("|")})["'\`*]{0,3}[ \\t]{0,4}:?[*]{0,3}[ \\t]{0,8}$`,
  "i",
);

/** Whether this line has the name of a user to itself, below one that announces a login. */
function isUserOf(lines: readonly Line[], at: number): boolean {
  const before = aloneOn(lines[at]!)?.value ?? lines[at]!.text.trim().replace(/^[>*•-][ \t]{1,4}/, "");
  const above = /^[\w.@+-]{2,60}$/.test(before) ? lineBefore(lines, at) : null;
  return above !== null && OPEN_LOGIN.test(lines[above]!.text);
}

/** Unlike the name of a user or of anything else: letters and digits with a sign, or without any order. */
function looksMixed(value: string): boolean {
  if (!isAssignedSecret("password", value, { quoted: false }) || /^[0-9a-f-]+$/i.test(value)) return false;
  return (/[A-Za-z]/.test(value) && /[!@#$%^&*~+?](?!$)/.test(value)) || isScrambled(value, RELUCTANTLY);
}

function announcedNames(text: string): string[] {
  const names = (text.match(NOUN) ?? []).filter((name) => nameKind(name) !== undefined);
  return FOREIGN.test(text) ? [...names, "password"] : names;
}

function isAnnounced(text: string, name: string, value: string): boolean {
  if (!/^[\w+/=.~:@!#$%^&*?-]+$/.test(value) || /[:.]$/.test(value) || /^--?[a-z]/.test(value)) return false;
  const isOpen = ENDS_OPEN.test(text) || TITLE.test(text);
  // A sentence that ends says less: the value must look like nothing else.
  if (!isOpen && (/[={};<>()[\]|]/.test(text) || !/^.{0,200} \S/.test(text))) return false;
  const isMixed = value.length >= 20 && /[a-z]/.test(value) && /[A-Z]/.test(value) && /\d/.test(value);
  if (isAssignedSecret(name, value, { quoted: false, loose: true })) return isOpen || isMixed;
  const isPhrase = / /.test(text.trim());
  return isOpen && isPhrase && nameKind(name) === "password" && isSaidPassword(value, { quoted: false });
}

const PROMPT = /^[ \t]{0,40}(?:(?:PS [^>\n]{0,120}>|[\w.@:~/ -]{0,80}[$#%❯➜»>])[ \t]{1,4})/;
/** Commands that print one whatever else they are told. */
const PRINTERS = new RegExp(
  [
    String.raw`\bgh\s+auth\s+token|\bgcloud\s+auth\s+(?:application-default\s+)?print-|\baws\s+ecr\s+get-login-password`,
    String.raw`|\boc\s+whoami\s+(?:-t|--show-token)|\bop\s+(?:read|item\s+get)\b|\bbw\s+get\s+(?:password|totp|notes)|\bpass\s+(?:show\s+)?[\w./-]+$`,
    String.raw`|\bheroku\s+(?:auth:token|authorizations:create)|\bfly(?:ctl)?\s+(?:auth\s+token|tokens\s+create)|\bkubeadm\s+token\s+create`,
    String.raw`|\bkubectl\s+create\s+token|\bjoin-token\s+-q|\bopenssl\s+rand\b|\bwg\s+gen(?:key|psk)|\bpwgen\b|/dev/u?random`,
    String.raw`|\bsecurity\s+find-(?:generic|internet)-password\b.*\s-w|\bsecret-tool\s+lookup|\bsecretsmanager\s+get-secret-value`,
    String.raw`|\bssm\s+get-parameters?\b.*--with-decryption|\bsecrets\s+versions\s+access|\bkeyvault\s+secret\s+show|\bvault\s+(?:(?:kv\s+get|read)\b.*-field|print\s+token|token\s+create|login)`,
    String.raw`|\bget\s+secrets?(?:/|\s).*(?:base64\s+(?:-d|-D|--decode)|\|\s*base64decode|get-value)|\bargocd\s+(?:admin\s+initial-password|account\s+generate-token)`,
    String.raw`|\b(?:rails|rake)\s+secret\b|\bkey:generate\s+--show|\bsecrets\.token_|\brandom[B]ytes\b|\bget_random_secret_key|\bgenerate_key\(\)`,
    String.raw`|\bnode-token\b|\bsts\s+(?:get-session-token|assume-role|get-federation-token)|\bcreate-access-key\b|\blpass\s+show|\bchamber\s+read`,
    String.raw`|\bdoppler\s+secrets\s+get|\binfisical\s+secrets\s+get|\bsops\s+(?:-d|decrypt|exec)|\bcredstash\s+get|\bkeyring\s+get|\bstep\s+ca\s+token`,
    String.raw`|\bGet-(?:AzKeyVault)?Secret\b|-AsPlainText\b|\bnpm\s+token\s+create|\bconsul\s+acl\s+token|\bnomad\s+acl\s+token|\bget-access-token\b|\bgopass\s+(?:show\s+)?\S+$|\bprint(?:-identity|-access)-token`,
  ].join(""),
);
/** Commands that print what they are asked for. */
const VERBS =
  /\b(?:output|get|read|show|cat|echo|printf|printenv|print|access|lookup|jq|yq|generate|create|reveal|fetch|export|decrypt|head|config:get|stack|grep|rg|sed|awk)\b/;
/** What may stand after a pipe without changing what is printed. */
const FILTER = /^\s*(?:base64|tr|cut|head|tail|sed|awk|xargs|grep|tee|cat|xxd|fold|column|rev|sort|uniq|perl)\b/;
const GOES_ELSEWHERE =
  /\|\s*(?:wc|sha\d{1,3}sum|shasum|md5sum?|pbcopy|clip|xclip|xsel|wl-copy|gpg|openssl|docker|podman|helm|kubectl|gh|vault|ssh|sudo|npx|wrangler|fly|heroku)\b|[^>0-9&-]>{1,2}\s*[\w/~."$]|\blength\b|\bkeys\b|--password-stdin/;

export const printedFinder: SecretFinder = {
  name: "printed-secret",
  keywords: [
    ...[
      ...NAMES,
      "op read",
      "op item",
      "openssl rand",
      "urandom",
      "whoami -t",
      "sts get",
      "sts assume",
      "ssm get-param",
    ],
    ...["chamber read", "sops -d", "sops decrypt"],
  ],
  find(lines) {
    const found: Found[] = [];
    for (let at = 1; at < lines.length; at++) {
      const line = lines[at]!;
      const alone = aloneOn(line);
      if (alone === null ? !line.text.includes("\t") : !/\d/.test(alone.value)) continue;
      const before = lineBefore(lines, at);
      const command = before === null ? null : commandOf(lines[before]!);
      if (command !== null) found.push(...printedOn(line, command));
    }
    return found;
  },
};

interface Command {
  certain: boolean;
  prompted: boolean;
}

function commandOf({ text }: Line): Command | null {
  if (text.length < 6 || text.length > LONGEST_SENTENCE) return null;
  const prompt = PROMPT.exec(text)?.[0] ?? "";
  const command = text.slice(prompt.length);
  if (!/^\s{0,40}[\w./"'(-]/.test(command) || GOES_ELSEWHERE.test(command) || /^\s{0,40}[\w:$]+\s?=/.test(command))
    return null;
  if (PRINTERS.test(command)) return { certain: true, prompted: prompt !== "" };
  if (prompt === "" || !VERBS.test(command)) return null;
  const parts = command.split("|");
  while (parts.length > 1 && FILTER.test(parts.at(-1)!)) parts.pop();
  const printing = parts.at(-1)!;
  if (!VERBS.test(printing)) return null;
  const names = printing.split(/[\s'"`=:/{}$()[\]|,;.]+/).map(nameKind);
  const isNamed = names.some((kind) => kind === "password" || kind === "secret" || kind === "token");
  return isNamed ? { certain: names.includes("password"), prompted: true } : null;
}

function printedOn(line: Line, { certain, prompted }: Command): Found[] {
  if (PROMPT.test(line.text)) return [];
  const alone = aloneOn(line);
  if (alone !== null) return isPrinted(alone.value, certain && prompted) ? [alone] : [];
  // Several columns of one answer.
  const runs = Array.from(line.text.slice(0, 4_000).matchAll(/\S{20,3000}/g));
  if (!certain || !prompted || !/^(?:\S{1,3000}\s{1,40}){1,5}\S{1,3000}\s{0,20}$/.test(line.text)) return [];
  return runs
    .filter(([run]) => isAssignedSecret("token", run, { quoted: false, loose: true }) && /[a-z]/.test(run))
    .map(({ 0: run, index }) => ({ start: line.start + index, end: line.start + index + run.length }));
}

function isPrinted(value: string, certain: boolean): boolean {
  if (!isPassword(value) || isReference(value) || /[:{}[\]()]$|^[{}[\]()<-]|^\w+=/.test(value)) return false;
  if (isAssignedSecret("token", value, { quoted: false, loose: true })) return true;
  if (value.length < 8 || !/[A-Za-z]/.test(value) || !/\d/.test(value)) return false;
  return certain ? !/^\d+[a-z]{1,6}$/.test(value) : !readsLikeWords(value) && value.length >= 12;
}

/**
 * Codes that let somebody in who lost their second factor: a heading that names them, then a row or a list of codes.
 *
 * Refused: single numbers, dates, words, and lists of nothing but names; a list ends at the first line that holds
 * anything else.
 */
const HEADING = new RegExp(
  [
    String.raw`(?:recovery|backup|emergency|scratch|rescue|bypass|one[-_ ]?time|single[-_ ]?use|2fa|mfa|otp|two[- ]factor)[-_ ]?(?:\w{1,12}[-_ ]){0,2}(?:codes|keys|(?:code|key)(?![ \t]{1,4}(?!(?:for|of|is|are|was|to|from|on|in|and|or|below)\b)[a-z]))\b`,
    String.raw`(?:wiederherstellungs|notfall|ersatz|einmal)-?(?:codes?|schlüssel)`,
    String.raw`codes? de (?:secours|récupération|sauvegarde)|códigos? de (?:recuperación|respaldo|seguridad)|恢复代?码|备用代?码|备份码|リカバリーコード|バックアップコード`,
  ].join("|"),
  "i",
);
const MOST_LINES = 24;
const CODE = /^(?:[A-Za-z0-9]{4,12}(?:-[A-Za-z0-9]{3,12}){1,8}|[A-Za-z0-9]{8,32}|\d{6,10})$/;
const HALF = /^(?:[0-9]{4,5}|[a-z0-9]{4,5})$/;

interface Code extends Found {
  code: string;
}

export const recoveryCodeFinder: SecretFinder = {
  name: "recovery-code",
  keywords: [
    ...["recovery", "backup", "rescue", "emergency", "scratch", "one-time", "2fa", "mfa", "otp", "wiederherstellung"],
    ...["notfall", "codes de", "códigos de", "恢复", "备用", "备份码", "リカバリー", "バックアップ"],
  ],
  find(lines) {
    const found: Found[] = [];
    for (let at = 0; at < lines.length; at++) {
      const line = lines[at]!;
      const heading = line.text.length > 400 ? null : HEADING.exec(line.text);
      if (heading === null) continue;
      const after = line.text.indexOf(":", heading.index + heading[0].length);
      const codes = after < 0 ? [] : codesOf({ start: line.start + after + 1, text: line.text.slice(after + 1) }, true);
      at = readList(lines, at, codes);
      // A few of many codes may look like words; if all of them do, they are names.
      if (!codes.every(({ code }) => readsLikeWords(code)))
        found.push(...codes.map(({ start, end }) => ({ start, end })));
    }
    return found;
  },
};

/** Adds the codes below; returns the last line that was one of the list. */
function readList(lines: readonly Line[], heading: number, found: Code[]): number {
  let at = heading;
  for (let count = 0; count < MOST_LINES; count++) {
    const next = lineAfter(lines, at);
    const codes = next === null || lines[next]!.text.length > 400 ? [] : codesOf(lines[next]!, false);
    if (codes.length === 0 && !(next !== null && /^[ \t]{0,40}[[\]{}][,;]?$/.test(lines[next]!.text))) return at;
    found.push(...codes);
    at = next!;
  }
  return at;
}

/** The codes of a line that holds nothing else, or those it begins with. */
function codesOf({ start, text }: Line, opens: boolean): Code[] {
  const found: Code[] = [];
  const pieces = Array.from(text.matchAll(/[^\s,;|"'`[\]•☐]+/g)).filter(
    ({ 0: one }) => !/^(?:[-*>x]|\d{1,2}[.):]?)$/.test(one),
  );
  for (let at = 0; at < pieces.length; at++) {
    const { 0: piece, index } = pieces[at]!;
    const second = pieces[at + 1];
    const isPair =
      HALF.test(piece) && second !== undefined && HALF.test(second[0]) && second[0].length === piece.length;
    if (isPair && /\d/.test(piece + second[0])) {
      const end = start + second.index + second[0].length;
      found.push({ start: start + index, end, code: piece + second[0] });
      at += 1;
    } else if (isCode(piece)) found.push({ start: start + index, end: start + index + piece.length, code: piece });
    else return opens ? found : [];
  }
  return found;
}

function isCode(piece: string): boolean {
  if (!CODE.test(piece) || isPlaceholder(piece) || /^\d{4}-\d\d-\d\d$/.test(piece)) return false;
  return (
    /\d/.test(piece) || /^(?:[A-Z]{4,8}-)+[A-Z]{4,8}$|^(?:(?=[^-]*[^aeiou-]{4})[a-z]{4,8}-)+[a-z]{4,8}$/.test(piece)
  );
}
