/**
 * Passwords that people mention in sentences, in five languages and with the words of others.
 *
 * A word for a password, a few words about whose it is, a verb, and a value that is no word of the sentence: it has a
 * digit, a symbol or quotation marks. Refused: passwords that are plain words without quotation marks.
 */
import { PASSWORD_WORDS } from "./names.ts";
import { once, type SecretRule } from "./vendors.ts";

// Without the flag `u`, which makes searching much slower.
const LETTER = String.raw`A-Za-z\u00c0-\u024f\u0400-\u04ff`;
const NOUNS = [
  String.raw`pass(?:word|phrase|code|wort)s?|kennwort|zugangscode|(?:wi-?fi|wlan|wireless|network)[- ](?:key|schlüssel)|mot de passe|mdp|contrase(?:ñ|n)as|clave|palavra-passe|kata sandi|mật khẩu|κωδικός|${PASSWORD_WORDS.join("|")}`,
  String.raw`(?<random>api[- ](?:key|token|schlüssel)|schlüssel|clé|jeton)`,
].join("|");
/** A password all the same: a digit, and a symbol within. */
const INNER_SYMBOL = String.raw`[ \t]{1,4}(?=[^\s\d]{0,60}\d)(?=[^\s!@#$%^&*]{0,60}[!@#$%^&*]{1,4}[^\s!@#$%^&*])`;
/** What is said about passwords, and is none. */
const RULES = String.raw`(?![ \t]{1,4}(?:polic|rule|requirement|length|strength|complexity|format|rotation|expir|lifetime|hash|richtlinie|regel|länge|longitud|longueur)[${LETTER}]{0,12}[ \t]{0,4}[:：](?!${INNER_SYMBOL}))`;
// Whose it is, or what for; no end of a sentence between.
const ABOUT = String.raw`(?:(?:[ \t]{1,4}|['’])[^\s.,;:!?="'\x60|/\\()<>{}[\]]{1,40}){0,6}?`;
// Or in parentheses behind it.
const BESIDE = String.raw`(?:[ \t]{1,2}\([^()\n]{1,40}\))?`;
// Without a verb, only what has both a digit and a symbol.
const MIXED = String.raw`(?=[^\s\d]{0,60}\d)(?=[^\s!@#$%^&*]{0,60}[!@#$%^&*])`;
// Nor is a word with a digit inside and capitals one of the sentence.
const SCRAMBLED = String.raw`(?=[A-Za-z0-9]{12})(?=[^\s\d]{0,40}[A-Za-z]\d[A-Za-z])(?=[^\sA-Z]{0,40}[A-Z])`;
const VERBS = [
  String.raw`[ \t]{1,4}(?:is|was|are|be|ist|war|lautete?|heißt|est|était|sera|es|era|será|é|è|är|jest|je|to|auf|à|now|jetzt)(?:[ \t](?:now|still|set to|jetzt|noch|ahora|maintenant|désormais|adesso))?[ \t]{0,4}:?[ \t]{1,4}`,
  String.raw`[ \t\u00a0]{0,4}:[ \t]{1,4}`,
  String.raw`[ \t]{1,4}(?=["\x60“„«‘])`,
  String.raw`[ \t]{1,2}${MIXED}`,
  String.raw`[ \t]{1,2}${SCRAMBLED}`,
].join("|");
// "Pin the port to 5432" fixes something, and gives no code away.
const PINNED = String.raw`(?<=(?<!\b(?:the|an?|my|your|our|his|her|their|its|this|new|old|card|door|sim|admin)[ \t])pin)[ \t](?!(?:code|for|of|on|at|is|was|has|set|reset|changed|updated)\b)[^\n.;:]{1,60}[ \t]to[ \t]`;
const VALUE = String.raw`[^\s"'\x60“”„«»「」‘’‹›|，。；：、]{4,128}`;
const OPENING = String.raw`(?<mark>["'\x60“„«「‘‹]{0,3})[ \u00a0\u202f]?`;
const CJK_NOUNS =
  "密码|密碼|口令|密钥|密鑰|令牌|パスワード|비밀번호|암호(?!화)|รหัสผ่าน|كلمة المرور|كلمة السر|סיסמה|סיסמא|पासवर्ड";
const CJK_VERBS = String.raw`[^\n，。；]{0,12}?(?:是|为|為|改成了?|改为了?|设为|設為|は|는|은|[:：=])[ \t]{0,4}[:：]?[ \t]{0,4}`;

const KEYWORDS = [
  ..."passwor passphrase passcode kennwort zugangscode mdp contrase clave palavra-passe κωδικός schlüssel clé".split(
    " ",
  ),
  ...["mot de passe", "kata sandi", "mật khẩu", "api key", "api-key", "api token"],
  ...PASSWORD_WORDS,
];
const CJK_KEYWORDS = CJK_NOUNS.split("|").map((noun) => noun.replace(/\(.*/, ""));

function said(name: string, keywords: readonly string[], pattern: string): SecretRule {
  return { name, keywords, pattern: once(() => new RegExp(pattern, "dgi")), minEntropy: 0, judge: "said" };
}

export const proseRules: readonly SecretRule[] = [
  said(
    "said-password",
    KEYWORDS,
    String.raw`(?<![${LETTER}\d_.-])(?:${NOUNS})(?![${LETTER}\d_-])${RULES}${ABOUT}${BESIDE}(?:${VERBS})${OPENING}(?<secret>${VALUE})`,
  ),
  // Whose they are is said after them; a value that follows must be random.
  said(
    "said-token",
    ["token", "secret", " key"],
    String.raw`(?:token|secret|key|\bpat)(?<random>)(?<=(?<![${LETTER}\d_.-])(?:(?:access|auth|bearer|refresh|deploy|service|session|bot|admin|access|master|license|personal access)[- ])?(?:token|secret|pat)|(?:access|auth|service|deploy|admin|master|license|new|old|secret|private|encryption|signing)[- ]key)(?![${LETTER}\d_-])${ABOUT}(?:${VERBS})${OPENING}(?<secret>(?=[^\s\d]{0,60}\d)[\w+/=.~-]{16,128}(?![\w+/=.~[…-]))`,
  ),
  // The number that a key of this kind is, wherever the sentence about it ends.
  {
    name: "said-private-key",
    keywords: ["private key", "private-key", "signing key", "secret key", "master key", "wallet key"],
    pattern: once(
      () =>
        /(?:private|signing|secret|master|wallet)[ -]key(?<!\b(?:hash|sha-?\d{0,3}\)?|fingerprint|digest|checksum)\b[^\n.]{0,60})(?:(?!\b(?:hash|sha-?\d{1,3}|fingerprint|digest|checksum|public|address|commit|image|build|release|artifact|layer)\b)[^\n.;]){1,80}?(?<![0-9a-z])(?:0x)?(?<secret>[0-9a-f]{64})(?![0-9a-z])/dgi,
    ),
    minEntropy: 3,
    judge: "random",
  },
  said("said-password-cjk", CJK_KEYWORDS, `(?:${CJK_NOUNS})${CJK_VERBS}${OPENING}(?<secret>${VALUE})`),
  // "Use … as the password": read backwards from the word.
  said(
    "named-password",
    [...KEYWORDS, ...CJK_KEYWORDS],
    String.raw`(?<=(?<mark>["\x60“„«「]?)[ \u00a0]?(?<secret>${VALUE})["\x60”“»」]?[ \u00a0]?»?)(?:[ \t]{1,4}(?:as|als|comme|como)[ \t]{1,4}(?:[${LETTER}]{1,12}[ \t]{1,4}){0,3}?(?:${NOUNS.replace("?<random>", "?:")})(?![${LETTER}])|(?:作为|作為)[^\n，。；]{0,6}?(?:${CJK_NOUNS}))`,
  ),
  said(
    "said-login",
    [
      "credential",
      "creds",
      "login",
      "log in",
      "logged in",
      "zugangsdaten",
      "identifiants",
      "credenciales",
      "登录",
      "账号",
    ],
    String.raw`(?:cred(?:ential)?s?|log[- ]?ins?|logged in (?:with|as)|zugangsdaten|identifiants|credenciales|登录|账号)[^\n/=]{0,40}?(?:[ \t：:]|:[ \t]{0,4}\r?\n[ \t>*-]{0,12})[\w.@-]{2,40}(?:[ \t]?[/:][ \t]?(?=["'\x60“„«「‘‹]{0,3}${MIXED})|[/:](?<random>)${SCRAMBLED}|[ \t]\/[ \t](?=[^\s\d]{0,40}\d))${OPENING}(?<secret>${VALUE})`,
  ),
  {
    name: "said-code",
    keywords: ["pin", "passcode", "otp", " code", "zugangscode", "geheimzahl", "验证码"],
    pattern: once(
      () =>
        new RegExp(
          String.raw`(?:pin|passcode|otp|password|code|geheimzahl|验证码|pin码)(?<=(?<![${LETTER}\d_.-])(?:pin(?:[- ]code)?|passcode|otp|one-time (?:code|password|passcode)|(?:verification|security|access|door|gate|alarm|unlock|entry|2fa|mfa)[- ]code|geheimzahl|zugangscode|türcode|code pin|código pin|验证码|pin码))(?![${LETTER}\d_-])(?!${PINNED})${ABOUT}(?:${VERBS}|是[ \t]?)${OPENING}(?<secret>(?!(?:19|20)\d\d\b|0?1234(?:5(?:6(?:78?)?)?)?\b)(?:\d{4,8}|\d{3}[ -]\d{3}))(?!\w|[.:]\d|%|[ \t](?:digits|characters|times|users|seconds|ms|lines|pages|rows|bytes|files|items|entries|requests|tokens))`,
          "dgi",
        ),
    ),
    minEntropy: 0.5,
    judge: "shape",
  },
  said(
    "wanted-password",
    KEYWORDS,
    String.raw`(?<![${LETTER}])(?:as|als)[ \t]{1,4}(?:passwor[dt]|kennwort)[ \t]{1,4}(?:(?:please|bitte|use|enter)[ \t]{1,4}){0,2}${OPENING}(?<secret>${VALUE})`,
  ),
];
