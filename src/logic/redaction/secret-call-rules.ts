/**
 * Secrets passed by position to calls that are known to take one: `NetworkCredential("user", "…")`.
 *
 * Refused: calls whose name does not say what they take.
 */
import { type SecretRule, once } from "./secret-rules.ts";

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
