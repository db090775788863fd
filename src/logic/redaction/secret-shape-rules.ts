/**
 * Secrets without a vendor prefix: key blocks, web tokens, headers, passwords in URLs and commands, and values assigned
 * to a name such as `db_password`.
 *
 * They are recognised by context, so only the value is redacted and the name stays readable. Refused: values judged on
 * their own, without a telling name or shape.
 */

import type { SecretRule } from "./secret-rules.ts";

const NAMES = "pass pwd pw secret token key credential".split(" ");

// In order: the decisive end of a name, the link to its value (a typed declaration, an operator, a word, the comma of a
// call), and the value, quoted or bare; of a very long one only the beginning.
const ASSIGNMENT = new RegExp(
  [
    String.raw`(?<end>(?:pass(?:w(?:or)?d|wort|phrase|code)?|pwd|pw|secret|token|key|credential)[\w.-]{0,24})`,
    String.raw`(?:\\{0,3}["'\x60]?\]?[ \t]{0,16}(?::[ \t]{0,4}[a-z][\w.<>[\]|?]{0,30}[ \t]{1,4}=(?=[ \t])|[:=]{1,3}>?|\bis\b)`,
    String.raw`|\\{0,3}["'][ \t]{0,4}(?<comma>,)(?=[ \t]{0,4}\\{0,3}["']))[ \t]{0,16}`,
    String.raw`(?:[fbru]{0,2}(?<quote>\\{0,3}["'\x60])(?<secret>(?:(?!\k<quote>)\S){6,256})(?:\k<quote>|$|(?<=\S{256}))`,
    String.raw`|(?<bare>[^\s"'\x60<>\\,;]{6,256}))`,
  ].join(""),
  "dgi",
);

export const shapeRules: readonly SecretRule[] = [
  {
    // The body may not contain five dashes: a repeated opening line then ends each attempt at once.
    name: "private-key",
    keywords: ["private key"],
    pattern:
      /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----)[\s\S]){40,20000}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?:(?:\\[nr]|[\s"'+,;]){1,20}[A-Za-z0-9+/=]{16,4096}){1,400})/g,
    minEntropy: 0,
    judge: "block",
  },
  {
    name: "putty-private-key",
    keywords: ["private-lines:"],
    pattern: /Private-Lines: \d{1,3}(?:\\[nr]|\s){1,4}(?<secret>(?:[A-Za-z0-9+/=]{16,80}(?:\\[nr]|\s){0,4}){1,200})/dg,
    minEntropy: 0,
    judge: "block",
  },
  {
    // A vendor's key masked by hand. The rest unlocks nothing, but redacting it costs nothing either.
    name: "masked-key",
    keywords: ["xxxxxxxx"],
    pattern: /(?:AKC|AP[A-Z0-9]|npm_|SK|AC)x{10,64}/g,
    minEntropy: 0,
    judge: "mask",
  },
  {
    // Looking back from the first letters keeps long runs of dashes and letters linear.
    name: "json-web-token",
    keywords: ["eyj"],
    pattern: /eyJ(?<=(?:^|[^\w-]|\\[nrt]|%[0-9A-Fa-f]{2})eyJ)[\w-]{12,4000}\.eyJ[\w-]{12,8000}(?:\.[\w-]{0,2000})?/gm,
    minEntropy: 3,
    judge: "shape",
  },
  {
    name: "authorization-header",
    keywords: ["authorization"],
    pattern:
      /authorization\\?["'\]]{0,3}\s{0,4}[:=,]\s{0,4}[fb]?\\?["'`]?(?:(?:bearer|basic|token|api-token|apikey|api-key|digest|bot|splunk)\s{1,4})?(?<secret>[\w.~+/=@:-]{8,2000})/dgi,
    minEntropy: 0,
    judge: "header",
  },
  {
    name: "bearer-token",
    keywords: ["bearer"],
    pattern: /\bbearer[ \t]{1,4}(?<secret>[\w.~+/=-]{16,2000})/dgi,
    minEntropy: 0,
    judge: "header",
  },
  {
    name: "api-key-header",
    keywords: ["-h", "--header"],
    pattern:
      /(?:-H|--header)[ =]{1,4}\\?["'](?<key>[\w-]{0,40}(?:key|token|secret|auth)): {0,4}(?<secret>[\w.~+/=@:-]{8,2000})\\?["']/dgi,
    minEntropy: 0,
    judge: "header",
  },
  {
    name: "url-password",
    keywords: ["://"],
    pattern: /:\/\/(?<key>[^\s:@/"'`<>\\]{0,120}):(?<secret>[^\s/"'`<>\\]{1,2000})@(?=[\w[.$%{-])/dg,
    minEntropy: 0,
    judge: "password",
  },
  {
    name: "command-password",
    keywords: ["curl", "wget"],
    pattern:
      /\s(?:-u|--user)[ =]{0,4}(?<=\b(?:curl|wget)\b[^\n]{0,200})["']?[^\s:"']{0,80}:["']?(?<secret>[^\s"']{6,200})/dg,
    minEntropy: 0,
    judge: "typed",
  },
  {
    // Services that only use keys take the key as the user name, without a password.
    name: "command-key",
    keywords: ["curl", "wget"],
    pattern:
      /\s(?:-u|--user)[ =]{0,4}(?<=\b(?:curl|wget)\b[^\n]{0,200})["']?(?<secret>[^\s:"']{12,200}):(?=["']?(?:\s|$))/dg,
    minEntropy: 0,
    judge: "header",
  },
  {
    name: "netrc-password",
    keywords: ["machine"],
    pattern:
      /\bmachine\s{1,8}\S{1,200}\s{1,8}login\s{1,8}\S{1,200}\s{1,8}password\s{1,8}["']?(?<secret>[^\s"']{4,2000})/dg,
    minEntropy: 0,
    judge: "password",
  },
  {
    name: "secret-option",
    keywords: NAMES,
    pattern: /(?<![\w-])--?(?<key>[A-Za-z][\w-]{1,60})(?: {1,4}|=)\\?["']?(?<secret>[^\s"'`\\]{6,300})/dg,
    minEntropy: 0,
    judge: "option",
  },
  {
    name: "secret-element",
    keywords: NAMES,
    pattern: /<(?<key>[A-Za-z][\w.:-]{1,60})>(?<secret>[^\s<>]{6,2000})<\//dg,
    minEntropy: 0,
    judge: "option",
  },
  {
    // The name is read backwards from its end: trying every possible start would be quadratic.
    name: "secret-value",
    keywords: NAMES,
    pattern: ASSIGNMENT,
    minEntropy: 0,
    judge: "assignment",
  },
];
