/**
 * Keys that code hands to a service: as a text among the arguments of a call, or by a variable that was given the text
 * above, whatever its name.
 *
 * Refused: what may be a digest or an id, and calls of anything but a known service or the network.
 */
import { isHandedKey } from "./likeness.ts";
import { SERVICES, wordsOf } from "./names.ts";
import { CONTEXT_CHARACTERS, type Found, LONGEST_LINE, type SecretFinder } from "./secret-finder.ts";
import { once, type SecretRule } from "./vendors.ts";

/** What calls services by their address. */
const NETWORK: ReadonlySet<string> = new Set(["http", "https", "httpx", "requests", "axios", "fetch", "curl"]);

const ASSIGNED =
  /(?<![\w.])(?<name>[A-Za-z_]\w{0,40})[ \t]{0,8}(?::[ \t]{0,2}\w{1,20}[ \t]{0,2})?:?=[ \t]{0,4}["'\x60](?<secret>[A-Za-z0-9/.:-]{24,200})["'\x60]/dg;
const CALL = /(?<![\w.])(?<callee>[A-Za-z_][\w.]{1,60})\((?<arguments>[^()\n]{1,400})/dg;
const TEXT = /["'\x60](?<secret>[A-Za-z0-9/.:-]{24,200})["'\x60]/dg;
const WORD = /(?<![\w."'\x60-])[A-Za-z_]\w{0,40}(?![\w."'\x60(-])/g;

export const serviceCallFinder: SecretFinder = {
  name: "service-call",
  keywords: [...SERVICES, ...NETWORK],
  find(lines) {
    const found: Found[] = [];
    const given = new Map<string, Found>();
    for (const { start, text } of lines) {
      if (text.length > LONGEST_LINE) continue;
      for (const match of text.matchAll(CALL)) {
        const { callee, arguments: passed } = match.groups as { callee: string; arguments: string };
        const parts = wordsOf(callee);
        const isService = parts.some((part) => SERVICES.has(part));
        if (!isService && !parts.some((part) => NETWORK.has(part))) continue;
        const from = start + match.indices!.groups!["arguments"]![0];
        if (isService) found.push(...keysIn(TEXT, passed, from).map(([, place]) => place));
        for (const [word] of passed.matchAll(WORD)) {
          const place = given.get(word);
          if (place !== undefined && from - place.start < CONTEXT_CHARACTERS) found.push(place);
        }
      }
      for (const [name, place] of keysIn(ASSIGNED, text, start)) given.set(name, place);
    }
    return found;
  },
};

function keysIn(pattern: RegExp, text: string, from: number): [name: string, place: Found][] {
  return [...text.matchAll(pattern)]
    .filter(({ groups }) => isHandedKey(groups!["secret"]!))
    .map(({ groups, indices }) => {
      const [start, end] = indices!.groups!["secret"]!;
      return [groups!["name"] ?? "", { start: from + start, end: from + end }];
    });
}

// Secrets passed by position to calls that are known to take one: `NetworkCredential("user", "…")`.
//
// Refused: calls whose name does not say what they take.

/** Calls, by how many arguments stand before the secret. */
const CALLS: readonly (readonly string[])[] = [
  [
    ...[
      "Fernet",
      "AzureKeyCredential",
      "ApiKeyAuth",
      "ApiKeyCredential",
      "BearerToken",
      "bearer_?[aA]uth",
      "BearerAuth",
    ],
    ...["BearerTokenAuth", "setBearerToken", "TokenAuth", "TokenCredential", "hmac\\.new", "hmacShaKeyFor", "signWith"],
    ...["SymmetricSecurityKey", "loginWithApiKey", "loginWithToken"],
  ],
  [
    ...["NetworkCredential", "PSCredential", "User[nN]amePassword\\w{0,24}", "PasswordAuthentication", "withBasicAuth"],
    ...["PasswordCredentials?", "HTTP(?:Basic|Digest)Auth", "BasicAuth(?:entication)?", "httpBasic", "[sS]etBasicAuth"],
    ...[
      "(?:set_|with_)?basic_?[aA]uth",
      "withCredentials",
      "(?:set_c|setC|UserC|PlainC|c|C)redentials",
      "AWSCredentials",
    ],
    ...["BasicAWSCredentials", "AwsBasicCredentials\\.create", "BasicSessionCredentials", "NewStaticV[24]"],
    ...[
      "NewStaticCredentials(?:Provider)?",
      "StaticCredentialsProvider",
      "AzureNamedKeyCredential",
      "StorageCredentials",
    ],
    ...["(?:Storage)?SharedKeyCredential", "Credentials\\.basic", "algoliasearch", "[tT]wilio", "TwilioRestClient"],
    ...[
      "Twilio\\.init",
      "[lL]ogin",
      "log_?[iI]n",
      "sign_?[iI]n",
      "signInWithEmailAndPassword",
      "authenticate",
      "auth(?: ?= ?)?",
    ],
    ...["createHmac", "jwt\\.(?:sign|verify|encode|decode)", "create(?:C|Dec)ipheriv", "ftp_login"],
  ],
  [
    ...["DriverManager\\.getConnection", "new PDO", "new mysqli", "mysqli_(?:real_)?connect", "pymysql\\.connect"],
    ...["MySQLdb\\.connect", "PlainAuth", "ClientSecretCredential", "ssh2_auth_password"],
  ],
];

const STRING = String.raw`[fbru@$]{0,2}(?:"[^"\n]{0,200}"|'[^'\n]{0,200}')`;
const ARGUMENT = String.raw`(?:${STRING}|\{[^{}\n]{0,120}\}|[\w.$:>-]{1,80}(?:\([^()\n]{0,60}\))?)`;

function positional(): RegExp {
  const alternatives = CALLS.map(
    (callees, before) =>
      String.raw`(?<=\b(?:${callees.join("|")})\s{0,2}\()\s{0,40}(?:${ARGUMENT}\s{0,8},\s{0,40}){${before}}`,
  );
  return new RegExp(
    String.raw`\((?=\s{0,40}(?:[fbru@$]{0,2}["']|\{|[\w.$:>-]{1,80}[\s,(]))(?:${alternatives.join("|")})(?:[\w.]{1,40}\()?[fbru@]{0,2}["'](?=[^"']{0,255}[\d!@#$%^&*?+=~])(?<secret>[^\s"'\\]{4,256})["']`,
    "dg",
  );
}

export const callRules: readonly SecretRule[] = [
  {
    name: "passed-secret",
    keywords: [
      "auth",
      "login",
      "credential",
      "hmac",
      "jwt.",
      "connect",
      "algolia",
      "twilio",
      "sign",
      "fernet",
      "cipheriv",
      "bearer",
      "pdo(",
      "mysqli(",
    ],
    needs: "(",
    pattern: once(positional),
    minEntropy: 0,
    judge: "typed",
  },
];
