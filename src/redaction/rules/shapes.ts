/**
 * Secrets without a vendor prefix: key blocks, web tokens, headers, passwords in URLs and commands, and values assigned
 * to a name such as `db_password`.
 *
 * They are recognised by context, so only the value is redacted and the name stays readable. Refused: values judged on
 * their own, without a telling name or shape.
 */
import { assignment, longAssignment, NAMES, SERVICES } from "./names.ts";
import { key, once, type SecretRule } from "./vendors.ts";

// Names of cookies that hold a session wherever they stand; in the header of a request, any that sounds like one.
const COOKIE = [
  String.raw`(?:(?<![\w.-])(?:JSESSIONID|PHPSESSID|ASPSESSIONID\w{0,12}|ASP\.NET_SessionId|connect\.sid|laravel_session|ci_session|_[a-z]\w{1,40}_session|\.AspNetCore\.[\w.]{1,40})`,
  String.raw`|(?:sess|sid|auth|token|jwt|login|remember|li_at)[\w.-]{0,40}(?<=(?:cookie\\?["']?[ \t]{0,4}[:=]|\s-b[ =]{0,2}|--cookie[ =])[^\n]{0,1000}))`,
  String.raw`=\\?["']?(?<secret>[^\s;,"'\\]{16,4000})`,
].join("");

export const shapeRules: readonly SecretRule[] = [
  {
    // The body may not contain five dashes: a repeated opening line then ends each attempt at once.
    name: "private-key",
    keywords: ["private key"],
    pattern: once(
      () =>
        /-----BEGIN [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----)[\s\S]){40,20000}-----END [A-Z0-9 ]{0,40}PRIVATE KEY(?: BLOCK)?-----|(?:(?:\\[nr]|[\s"'+,;]){1,20}[A-Za-z0-9+/=]{16,4096}){1,400})/g,
    ),
    minEntropy: 0,
    judge: "block",
  },
  {
    name: "putty-private-key",
    keywords: ["private-lines:"],
    pattern: once(
      () => /Private-Lines: \d{1,3}(?:\\[nr]|\s){1,4}(?<secret>(?:[A-Za-z0-9+/=]{16,80}(?:\\[nr]|\s){0,4}){1,200})/dg,
    ),
    minEntropy: 0,
    judge: "block",
  },
  {
    // A vendor's key masked by hand. The rest unlocks nothing, but redacting it costs nothing either.
    name: "masked-key",
    keywords: ["xxxxxxxx"],
    pattern: once(() => /(?:AKC|AP[A-Z0-9]|npm_|SK|AC)x{10,64}/g),
    minEntropy: 0,
    judge: "mask",
  },
  {
    // Looking back from the first letters keeps long runs of dashes and letters linear.
    name: "json-web-token",
    keywords: ["eyj"],
    pattern: once(
      () => /eyJ(?<=(?:^|[^\w-]|\\[nrt]|%[0-9A-Fa-f]{2})eyJ)[\w-]{12,4000}\.eyJ[\w-]{12,8000}(?:\.[\w-]{0,2000})?/gm,
    ),
    minEntropy: 3,
    judge: "shape",
  },
  {
    name: "authorization-header",
    keywords: ["authorization"],
    pattern: once(
      () =>
        /authorization\\?["'\]]{0,3}\s{0,4}[:=,]\s{0,4}[fb]?\\?["'`]?(?:(?:bearer|basic|token|api-token|apikey|api-key|digest|bot|splunk)\s{1,4}(?:["'`]\s{0,4}[+.&,]\s{0,4}["'`])?)?(?<secret>[\w.~+/=@:-]{8,2000})/dgi,
    ),
    minEntropy: 0,
    judge: "header",
  },
  {
    name: "bearer-token",
    keywords: ["bearer"],
    pattern: once(() => /\bbearer[ \t]{1,4}(?:["'`][ \t]{0,4}[+.&,][ \t]{0,4}["'`])?(?<secret>[\w.~+/=-]{16,2000})/dgi),
    minEntropy: 0,
    judge: "header",
  },
  {
    name: "api-key-header",
    keywords: ["-h", "--header"],
    pattern: once(
      () =>
        /(?:-H|--header)[ =]{1,4}\\?["'](?<key>[\w-]{0,40}(?:key|token|secret|auth)): {0,4}(?<secret>[\w.~+/=@:-]{8,2000})\\?["']/dgi,
    ),
    minEntropy: 0,
    judge: "header",
  },
  {
    name: "url-password",
    keywords: ["://"],
    pattern: once(() => /:\/\/(?<key>[^\s:@/"'`<>\\]{0,120}):(?<secret>[^\s/"'`<>\\]{1,2000})@(?=[\w[.$%{-])/dg),
    minEntropy: 0,
    judge: "password",
  },
  {
    // Between plain words, as in a list of them, only after the name of a machine, which has a dot.
    name: "netrc-password",
    keywords: ["login"],
    pattern: once(
      () =>
        /\blogin\s{1,8}\S{1,200}\s{1,8}password\s{1,8}["']?(?<secret>(?![a-z]{1,60}(?![^\s"']))[^\s"']{4,2000}|(?<=\bmachine\s{1,8}(?:localhost|[\w-]{1,60}\.\S{1,100})\s{1,8}login\s{1,8}\S{1,200}\s{1,8}password\s{1,8}["']?)[a-z]{4,60})/dg,
    ),
    minEntropy: 0,
    judge: "password",
  },
  {
    // Services that only use keys take the key as the user name, without a password.
    name: "url-token",
    keywords: ["://"],
    pattern: once(() => /:\/\/(?<secret>[^\s:@/"'`<>\\?#&]{16,400})@(?=[\w[])/dg),
    minEntropy: 0,
    judge: "header",
  },
  {
    // With the port of the database, or a star for any.
    name: "pgpass-password",
    keywords: [":5432:", ":5433:", ":6432:", ":*:"],
    pattern: once(
      () =>
        /(?<![^\s"'`])[\w.*-]{1,120}:(?:54\d\d|6432|\*):[\w*-]{1,60}:[\w*.@-]{1,60}:(?<secret>[^\s:"'`]{4,200})(?=["'`\s]|$)/dg,
    ),
    minEntropy: 0,
    judge: "password",
  },
  {
    // Beside the name of its user, as in files of passwords; a hash alone is more often an example.
    name: "password-hash",
    keywords: [":$"],
    pattern: once(
      () =>
        /\$(?:apr1|[1567y]|gy|2[abxy]|argon2(?:id|[id]))\$(?<=(?<![^\s"'`])[\w.@-]{1,64}:\$\w{1,8}\$)[\w./$,=+-]{20,300}/g,
    ),
    minEntropy: 3,
    judge: "shape",
  },
  {
    name: "session-cookie",
    keywords: ["cookie", "curl -b", "sessionid", "sessid", "connect.sid", "_session=", ".aspnetcore."],
    pattern: once(() => new RegExp(COOKIE, "dgi")),
    minEntropy: 0,
    judge: "header",
  },
  {
    name: "encoded-login",
    keywords: ["auth", "basic"],
    pattern: once(
      () => /(?:\bauth\\?["']?\s{0,4}[:=]\s{0,4}\\?["']|\bbasic\s{1,4})(?<secret>[A-Za-z0-9+/_-]{8,600}={0,2})/dgi,
    ),
    minEntropy: 0,
    judge: "login",
  },
  {
    name: "encoded-private-key",
    keywords: ["ls0tls1crudjti"],
    pattern: once(() => /LS0tLS1CRUdJTi[A-Za-z0-9+/\r\n]{30,20000}={0,2}/g),
    minEntropy: 0,
    judge: "encoded-key",
  },
  {
    // The body of a key without its first line.
    name: "openssh-key-body",
    keywords: ["b3blbnnzac1rzxktdje"],
    pattern: once(
      () => /b3BlbnNzaC1rZXktdjE[A-Za-z0-9+/]{20,8000}(?:(?:\\n|\s{1,8})[A-Za-z0-9+/]{40,200}){0,200}={0,2}/g,
    ),
    minEntropy: 0,
    judge: "block",
  },
  {
    name: "sql-password",
    keywords: ["identified", "password"],
    pattern: once(
      () =>
        /\b(?:identified\s{1,4}(?:with\s{1,4}\w{1,40}\s{1,4})?by|password)(?:\s{1,4}|\()\\?'(?<secret>[^\s'\\]{4,200})\\?'/dgi,
    ),
    minEntropy: 0,
    judge: "typed",
  },
  {
    name: "secret-default",
    keywords: ["variable"],
    pattern: once(
      () =>
        /\bvariable\s{1,4}"(?<key>[\w-]{1,80})"\s{0,4}\{[^{}]{0,300}?\bdefault\s{0,8}=\s{0,4}"(?<secret>[^\s"]{6,256})"/dg,
    ),
    minEntropy: 0,
    judge: "option",
  },
  {
    name: "secret-cell",
    keywords: NAMES,
    needs: "|",
    pattern: once(
      () =>
        /\|[ \t]{0,40}[`*]{0,2}(?<key>[A-Za-z][\w.-]{1,60})[`*]{0,2}[ \t]{0,40}\|[ \t]{0,40}[`*]{0,2}(?<secret>[^\s|`]{6,256})[`*]{0,2}[ \t]{0,40}\|/dg,
    ),
    minEntropy: 0,
    judge: "cell",
  },
  {
    // A name and a value in two columns that blanks align.
    name: "secret-row",
    keywords: NAMES,
    pattern: once(
      () =>
        /(?:pass\w{0,6}|pwd|pw|psk|secret|token|key|cred\w{0,8}|salt|kennwort)s?\d{0,2}:?(?= {2}|\t)(?<=^[ \t]{0,20}(?<key>[a-z][\w. -]{0,120}):?)(?: {2,60}|\t{1,6})(?<secret>[^\s|]{6,512})[ \t]{0,8}$/dgim,
    ),
    minEntropy: 0,
    judge: "cell",
  },
  {
    name: "secret-directive",
    keywords: ["pass", "auth", "psk", "bindpw", "rootpw", "enable secret", "community"],
    pattern: once(
      () =>
        /^[ \t]{0,20}(?:requirepass|masterauth|bindpw|rootpw|olcRootPW:|auth_pass|enable secret(?: \d)?|snmp-server community|sasl_passwd|psk)[ \t]{1,20}["']?(?<secret>[^\s"'#]{6,200})["']?[ \t]{0,20}(?:$|R[OW]\b|#)/dgim,
    ),
    minEntropy: 0,
    judge: "typed",
  },
  {
    // The seed of one-time passwords, for typing: base32, often in groups of four.
    name: "authenticator-key",
    keywords: [
      "otp",
      "2fa",
      "mfa",
      "authenticat",
      "setup key",
      "setup code",
      "manual",
      "einrichtungs",
      "de config",
      "设置密钥",
    ],
    pattern: once(
      () =>
        /(?:key|code|secret|seed|schlüssel|configuration|configuración|密钥)(?<=\b(?:set-?up|manual(?:ly)?(?: entry)?|authenticator|enrol\w{0,8}|totp|2fa|otp|mfa|two-factor)(?:[ -]app)?[ -](?:secret[ -])?(?:key|code|secret|seed)|einrichtungsschlüssel|clé de configuration|clave de configuración|设置密钥)(?!\w)(?:[^\n]{0,120}?(?:[:：=]|\bis\b|\n)[\s>*]{0,12}|[ \t]{1,4}(?=["'`]{0,3}[a-z]{0,60}[2-7]))["'`]{0,3}(?<secret>(?=[a-z -]{0,60}[2-7])(?:[a-z2-7]{4}(?:[ -][a-z2-7]{4}){3,15}(?:[ -][a-z2-7]{1,3})?|[a-z2-7]{16,64}))(?![\w-])/dgi,
    ),
    minEntropy: 3,
    judge: "random",
  },
  {
    // A number is a secret only under a name that says so.
    name: "pin-value",
    keywords: ["pin", "otp", "passcode"],
    pattern: once(
      () =>
        /(?:(?<![A-Za-z])(?:[Pp]in|PIN|otp|OTP|[Pp]asscode|PASSCODE)|(?<=[a-z])(?:Pin|PIN|Otp|OTP|Passcode))(?:[_ -]?[Cc](?:ode|ODE))?\\?["']?[ \t]{0,4}[:=][ \t]{0,4}\\?["']?(?<secret>(?!(?:19|20)\d\d\b|0?1234(?:5(?:6(?:78?)?)?)?\b)\d{4,8})(?![\w.])/dg,
    ),
    minEntropy: 0.5,
    judge: "shape",
  },
  {
    name: "secret-option",
    keywords: NAMES,
    needs: "-",
    pattern: once(() => /(?<![\w-])--?(?<key>[A-Za-z][\w-]{1,60})(?: {1,4}|=)\\?["']?(?<secret>[^\s"'`\\]{6,300})/dg),
    minEntropy: 0,
    judge: "option",
  },
  {
    name: "secret-element",
    keywords: NAMES,
    needs: "</",
    pattern: once(
      () =>
        /<(?<key>[A-Za-z][\w.:-]{1,60})(?:\s[^<>]{0,200})?>\s{0,80}(?:<!\[CDATA\[)?(?:\{(?:[\w.-]{1,30}\s){0,3})?(?<secret>[^\s<>\]{}]{6,2000})(?:\]\]>|\})?\s{0,80}<\//dg,
    ),
    minEntropy: 0,
    judge: "option",
  },
  {
    // The name is read backwards from its end: trying every possible start would be quadratic.
    name: "secret-value",
    keywords: NAMES,
    pattern: once(assignment),
    minEntropy: 0,
    judge: "assignment",
  },
  {
    name: "service-value",
    keywords: [...SERVICES],
    pattern: once(longAssignment),
    minEntropy: 0,
    judge: "assignment",
  },
  {
    // Whoever issued it: a part of a path or a file is none. Last, so that a rule that knows more names it.
    name: "prefixed-token",
    keywords: ["_", "-"],
    // Begins at the sign, which most words lack, and looks back from there.
    pattern: once(
      () =>
        /[-_](?=[\w+/-]{20})(?<=(?:^|[^\w\\.#@/-]|\\[nrt]|%[0-9A-Fa-f]{2})(?<opening>[a-z][a-z0-9]{0,14})[-_])(?:(?<=(?:sk|pat|key|token|secret)[-_])(?:[a-z]{1,8}[-_]){0,2}[\w+/]{40,300}={0,2}|[\w-]{20,300})(?![\w/-]|\.[a-z][a-z0-9]{1,4}\b|\.\.\.|…)/dg,
    ),
    minEntropy: 0,
    judge: "token",
  },
];

/**
 * Addresses that open something for whoever has them: signed ones, and links that are mailed to log in once.
 *
 * Refused: ids in addresses, such as UUIDs and commits, which point to something and open nothing.
 */
export const linkRules: readonly SecretRule[] = [
  key("signed-address", "signature=", () => /[?&](?:[\w-]{1,20}-)?signature=(?<secret>[\w%+/~.-]{20,1400}={0,2})/dgi, {
    judge: "random",
  }),
  {
    name: "one-time-link",
    keywords: [
      ...["reset", "verif", "confirm", "activat", "invit", "magic", "recover", "unlock", "one-time", "passwordless"],
      ...["/login", "signin", "sign-in", "/join"],
    ],
    needs: "/",
    // Begins at the word, and looks back for the start of its part of the path.
    pattern: once(
      () =>
        /(?:reset|verif(?:y|ication)|confirm(?:ation)?|activat(?:e|ion)|invit(?:e|ation)s?|magic|recover(?:y)?|unlock|one-time|passwordless|login|sign-?in|join)(?<=\/[\w-]{0,24})[\w-]{0,24}(?:\/[a-z-]{1,20}){0,2}(?:\/|\/?\?(?:[\w.-]{1,30}=[\w.%-]{0,60}&){0,4}(?:t|h|k|c|s|code|token|key|hash|link|id|auth|ticket|nonce|otp|oob_?code|signature)=)(?![0-9a-f]{40}(?![\w-])|[0-9a-f]{8}-[0-9a-f]{4}-)(?<secret>[\w.~-]{16,400})(?![\w/~-])/dgi,
    ),
    minEntropy: 0,
    judge: "header",
  },
];
