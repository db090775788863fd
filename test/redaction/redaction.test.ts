/**
 * Redaction, by tables and properties. Every secret is assembled here from a prefix and
 * a seeded random body, so that no line of this file looks like a key to a scanner.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { commandRules } from "../../src/redaction/rules/commands.ts";
import { proseRules } from "../../src/redaction/rules/prose.ts";
import { redact, redactEach } from "../../src/redaction/rules/redaction.ts";
import { callRules } from "../../src/redaction/rules/secret-calls.ts";
import { shapeRules } from "../../src/redaction/rules/shapes.ts";
import { providerRules, recentRules } from "../../src/redaction/rules/vendors.ts";
import { inLane, runs } from "../lane.ts";

const LOWER = "abcdefghijklmnopqrstuvwxyz";
const DIGITS = "0123456789";
const HEX = DIGITS + "abcdef";
const UPPER = LOWER.toUpperCase();
const WORD = LOWER + UPPER + DIGITS;

let seed = 7;
function random(length: number, alphabet = WORD): string {
  let text = "";
  while (text.length < length) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    text += alphabet[Math.floor((seed / 2147483648) * alphabet.length)];
  }
  return text;
}

const uuid = [8, 4, 4, 4, 12].map((length) => random(length, HEX)).join("-");
const pem = (label: string, body: string) => [`-----BEGIN ${label}-----`, body, `-----END ${label}-----`].join("\n");
const base64Lines = [random(64), random(64), random(40) + "="].join("\n");
const webToken = ["eyJ" + random(30), "eyJ" + random(60), random(43)].join(".");

/** [rule, secret]: found alone, whatever stands around it. */
const bare: [string, string][] = [
  ["aws-access-key", "AK" + "IA" + random(16, UPPER)],
  ["aws-bedrock-key", "AB" + "SK" + random(120)],
  ["google-api-key", "AI" + "za" + random(35)],
  ["google-oauth", "GOC" + "SPX-" + random(28)],
  ["azure-client-secret", random(3) + "8Q~" + random(34)],
  ["digitalocean-token", "dop" + "_v1_" + random(64, HEX)],
  ["github-token", "gh" + "p_" + random(36)],
  ["github-token", "github" + "_pat_" + random(22) + "_" + random(59)],
  ["gitlab-token", "gl" + "pat-" + random(20)],
  ["atlassian-token", "ATA" + "TT3" + random(180)],
  ["npm-token", "np" + "m_" + random(36)],
  ["pypi-token", "py" + "pi-AgE" + random(150)],
  ["docker-token", "dckr" + "_pat_" + random(27)],
  ["artifactory-token", "AK" + "Cp" + random(69)],
  ["vault-token", "hv" + "s." + random(90)],
  ["doppler-token", "dp" + ".pt." + random(43)],
  ["age-key", "AGE-SECRET" + "-KEY-1" + random(58, "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L")],
  ["anthropic-key", "sk-" + "ant-api03-" + random(93) + "AA"],
  ["openai-key", "sk-" + "proj-" + random(120)],
  ["openai-key", "sk" + "-" + random(48)],
  ["huggingface-token", "h" + "f_" + random(34)],
  ["slack-token", "xo" + "xb-" + [random(12, DIGITS), random(12, DIGITS), random(24)].join("-")],
  ["telegram-token", "9" + random(8, DIGITS) + ":A" + "A" + random(33)],
  ["discord-token", "M" + random(23) + "." + random(6) + "." + random(27)],
  ["twilio-key", "S" + "K" + random(32, HEX)],
  ["masked-key", "AK" + "C" + "x".repeat(10)],
  ["sendgrid-key", "S" + "G." + random(22) + "." + random(43)],
  ["mailgun-key", "ke" + "y-" + random(32, HEX)],
  ["mailchimp-key", random(32, HEX) + "-us" + "12"],
  ["facebook-token", "EAA" + "M" + random(120)],
  ["stripe-key", "sk_" + "live_" + random(24)],
  ["square-token", "sq0" + "atp-" + random(22)],
  ["shopify-token", "shp" + "at_" + random(32, HEX)],
  ["linear-key", "lin" + "_api_" + random(40)],
  ["notion-token", "nt" + "n_" + random(11, DIGITS) + random(35)],
  ["sentry-token", "sntry" + "u_" + random(64, HEX)],
  ["grafana-token", "gl" + "sa_" + random(32) + "_" + random(8, HEX)],
  ["new-relic-key", "NR" + "AK-" + random(27, UPPER + DIGITS)],
  ["databricks-token", "da" + "pi" + random(32, HEX)],
  ["json-web-token", webToken],
  ["private-key", pem("RSA PRIVATE" + " KEY", base64Lines)],
  ["private-key", pem("OPENSSH PRIVATE" + " KEY", base64Lines)],
  ["private-key", pem("PGP PRIVATE" + " KEY BLOCK", "Version: 1\n\n" + base64Lines)],
  ["private-key", pem("PRIVATE" + " KEY", base64Lines).replaceAll("\n", "\\n")],
];

const password = "tR7" + random(8) + "!4q";
const value = random(30) + "7aZ9";

/** [rule, before, secret, after]: found by what stands around it, which stays. */
const placed: [string, string, string, string][] = [
  ["aws-secret-key", "aws_secret_access_key = ", random(40), "\n"],
  ["azure-storage-key", "AccountName=a;Account" + "Key=", random(86) + "==", ";EndpointSuffix=core"],
  ["slack-webhook", "https://hooks.slack.com/services/", `T${random(9)}/B${random(9)}/${random(24)}`, " posted"],
  ["secret-value", "password: ", "Sommer" + "2024!", "\n"],
  ["secret-value", "my password is ", "Win+er" + "2024", " and so on"],
  ["npmrc-token", "//registry.npmjs.org/:_auth" + "Token=", uuid, "\nregistry=x"],
  ["authorization-header", "Authorization: Basic ", random(20) + "3==", "\n"],
  ["authorization-header", '{"Authorization": "Bearer ', random(40), '"}'],
  ["bearer-token", "sent bearer ", random(40), " to it"],
  ["api-key-header", 'curl -H "X-Api-Key: ', uuid, '" host'],
  ["url-password", "postgres://app:", password, "@db.internal:5432/shop"],
  ["url-password", "redis://:", "p@ss" + random(6), "@cache"],
  ["command-password", "curl -s -u app:", password, " https://host"],
  ["command-key", "curl -u ", random(24), ": https://host"],
  ["netrc-password", "machine host login me password ", password, "\n"],
  ["secret-option", "deploy --api-key ", value, " --verbose"],
  ["command-password", "curl -u app:", "sunny" + "day77", " https://host"],
  ["secret-option", "login --password ", "sunny" + "day77", ""],
  ["secret-option", "login --password=", password, ""],
  ["secret-element", "<dbPassword>", password, "</dbPassword>"],
  ["secret-value", 'password = "', password, '"'],
  ["secret-value", "db_password: '", password, "'"],
  ["secret-value", "DB_PASSWORD=", password, "\n"],
  ["secret-value", "DB_PASSWORD=", "hunter" + "22", "\n"],
  ["secret-value", '{"api_key": "', value, '"}'],
  ["secret-value", '{\\"clientSecret\\":\\"', value, '\\"}'],
  ["secret-value", "export SERVICE_TOKEN=", value, "\n"],
  ["secret-value", 'const token: string = "', value, '";'],
  ["secret-value", "define('AUTH_KEY', '", value, "');"],
  ["secret-value", "'secret' => '", value, "',"],
  ["secret-value", 'os.environ["API_TOKEN"] = "', value, '"'],
  ["secret-value", "the API key is ", value, ", keep it"],
  ["secret-value", "Server=db;Uid=app;Pwd=", password, ";Timeout=3"],
  ["secret-value", 'CREDENTIALS="', random(3000), '"'],
  ["secret-value", 'password = "', "sunny" + "day77", '"'],
  ["secret-value", "(DB_PASSWORD=", password, ")."],
  ["secret-value", "{DB_PASSWORD: ", password, "}]: "],
  ["secret-value", 'password = "', password + ")", '"'],
  ["secret-value", 'token = "', "gh" + "p_" + random(36) + "-" + random(5), '"'],
];

const harmless: [string, string][] = [
  ["prose", "The password policy: tokens expire, secrets rotate, and keys live in the vault."],
  ["a type", "token: string; password?: Buffer; apiKey: ApiKeyConfig2"],
  ["a call", "password: hash(password), token = createToken(user1, 'x')"],
  ["a mark in code", "const password = config2.password!; password: string1!; password: row1.password2!"],
  ["an attribute", "token = self.session.token2"],
  ["an environment variable", "api_key = process.env.API_KEY1 || os.getenv('API_KEY1')"],
  ["a shell variable", 'PASSWORD="${DB_PASSWORD_1}" TOKEN=$TOKEN_2 key=$(cat key1.txt)'],
  ["a template", "password: {{ vault_password_1 }} token: <your-token-1> secret: %(secret1)s"],
  ["a stand-in", 'password = "changeme123" api_key = "your-api-key-here-123" token = "example-token-123"'],
  ["a mask", "gh" + "p_" + "x".repeat(36) + " TOKEN=" + "*".repeat(20) + " secret=" + "X1".repeat(3) + "XXXXXXXX"],
  ["a vendor's key that is hardly varied", `${"gh" + "p_"}${"ab".repeat(18)} ${"hf" + "_"}${"ab".repeat(18)}`],
  ["a vendor's key that says so", `${"gh" + "p_"}example${random(29)} ${"hf" + "_"}example${random(29)}`],
  ["a vendor's prefix before words", "sk-" + "proj-customer-message-service-handler-configuration"],
  ["one that is elided", `DB_PASSWORD=${password.slice(0, 6)}...`],
  ["one character", 'password = "aaaaaaaaaaaa"'],
  ["an alphabet", `const keySecret = "${LOWER}${DIGITS}"`],
  ["a test password", 'password="password123" pwd="test1234"'],
  ["a path", "private_key: /etc/ssl/private/server1.key token_file=/run/secrets/token1"],
  ["a URL", "access_token = 'https://example.com/oauth2/token'"],
  ["a URL with a port", "http://localhost:8080/a@b https://host:443"],
  ["a URL without a secret", "https://user:password@host https://postgres:postgres@db https://u:${PASS}@h"],
  ["a uuid", `id: ${uuid} session: ${uuid} key: ${uuid}`],
  ["a commit", `commit ${random(40, HEX)}`],
  ["a digest", `sha256:${random(64, HEX)} checksum = "${random(64, HEX)}"`],
  ["an integrity", `"integrity": "sha512-${random(86)}=="`],
  ["a public key", `public_key = "${random(44)}"`],
  ["a public key block", pem("PUBLIC KEY", base64Lines)],
  ["an empty key block", pem("PRIVATE" + " KEY", "...")],
  ["a number", "max_tokens=128000 password: 12345678 token: 1700000000000"],
  ["a version", "io.jsonwebtoken:jjwt-api-0.11.2"],
  ["a test result", "--- PASS: TestServer2Start4Stop7 (0.2s)"],
  ["a prefix inside a word", "bask-" + "LONGIDENTIFIERWITHNODIGITSATALLINSIDE"],
  [
    "a prefix that ends a word",
    "WOAK" + "IA" + random(16, UPPER) + " xLT" + "AI" + random(20) + " MAS" + "K" + "x".repeat(12),
  ],
  ["a prefix that begins one", "AK" + "IA" + random(16, UPPER) + "Q SK" + "x".repeat(12) + "q LT" + "AI" + random(40)],
  ["neighbours in a list", '["user", "password", "sunny' + 'day77"]'],
  ["a blob", random(4000)],
  ["a page token", `next_page_token: "${random(40)}"`],
  ["code", "for key, value in secrets.items(): tokens[key] = value.token"],
];

test("every rule that a family names is found alone, in code and in prose", () => {
  for (const [rule, secret] of bare) {
    for (const [before, after] of [
      ["", ""],
      ["see ", ", then"],
      ['x = "', '";'],
      ["\\n", "\\n"],
      ["(", ")"],
    ] as const) {
      const { text, redactions } = redact(before + secret + after);
      assert.equal(text, `${before}[redacted:${rule}]${after}`, `${rule} between ${before} and ${after}`);
      assert.deepEqual(redactions, [{ rule, count: 1 }]);
    }
  }
});

for (const [rule, before, secret, after] of placed) {
  test(`${rule}: ${before}…${after.trim()} loses only the secret`, () => {
    const { text, redactions } = redact(before + secret + after);
    assert.equal(text, `${before}[redacted:${rule}]${after}`);
    assert.deepEqual(redactions, [{ rule, count: 1 }]);
  });
}

for (const [what, text] of harmless) {
  test(`${what} is no secret`, () => assert.deepEqual(redact(text), { text, redactions: [] }));
}

test("an escape, an encoded character and a terminal's colour end where a secret begins", () => {
  const key = "AK" + "IA" + random(16, UPPER);
  for (const before of ["\\n", "\\r", "\\t", "%20", "%3d", "\u001b[31m", "\u001b[38;5;124m"])
    assert.equal(redact(before + key).text, `${before}[redacted:aws-access-key]`, before);
  for (const before of ["\\x", "n", "%2", "20", "31m", "[31x", "é2"])
    assert.equal(redact(before + key).text, before + key, before);
});

test("a PuTTY key loses its private lines and keeps its public ones", () => {
  const file = `PuTTY-User-Key-File-2: ssh-rsa\nPublic-Lines: 1\n${random(64)}\nPrivate-Lines: 2\n`;
  assert.equal(redact(`${file}${random(64)}\n${random(40)}\n`).text, `${file}[redacted:putty-private-key]`);
});

test("a truncated key block is hidden too", () => {
  const text = `-----BEGIN PRIVATE${" "}KEY-----\n${random(64)}\n${random(50)}`;
  assert.equal(redact(text).text, "[redacted:private-key]");
});

test("a placeholder inside a secret does not save the rest of it", () => {
  const [begin, ...rest] = pem(`PRIVATE${" "}KEY`, base64Lines).split("\n");
  assert.equal(redact([begin, "[redacted:x]", ...rest].join("\n")).text, "[redacted:private-key]");
  assert.equal(
    redact(`DB_PASSWORD=${random(300)}[redacted:x]${random(9)}\n`).text,
    "DB_PASSWORD=[redacted:secret-value]\n",
  );
});

test("where lines are kept, what follows a secret stays on its line", () => {
  const text = `a\r\n${pem(`PRIVATE${" "}KEY`, `${random(64)}\r\n${random(64)}`)} b\nc`;
  const { text: kept } = redact(text, { keepsLines: true });
  assert.equal(kept, `a\r\n[redacted:private-key]\n\n\n b\nc`);
  assert.equal(redact(kept, { keepsLines: true }).text, kept);
});

test("overlapping finds become one placeholder that leaves no tail", () => {
  const token = "gh" + "p_" + random(36);
  const { text, redactions } = redact(`GITHUB_TOKEN="${token}" password="${password}-${token}"`);
  assert.equal(text, 'GITHUB_TOKEN="[redacted:github-token]" password="[redacted:secret-value]"');
  assert.equal(redactions.length, 2);
});

test("of two that overlap and of which neither holds the other, nothing stays", () => {
  // The value of an assignment ends at a comma; this vendor's tokens do not.
  const token = `fm2_${random(60)},${random(60)}`;
  assert.deepEqual(redact(`SERVICE_TOKEN=${random(12)}-${token} end`), {
    text: "SERVICE_TOKEN=[redacted:secret-value] end",
    redactions: [{ rule: "secret-value", count: 1 }],
  });
});

test("a secret is found once the one that is joined to it is hidden, however many are joined", () => {
  const telegram = "9" + random(8, DIGITS) + ":A" + "A" + random(33);
  const pair = redact("AK" + "IA" + random(16, UPPER) + telegram);
  assert.equal(pair.text, "[redacted:aws-access-key][redacted:telegram-token]");
  for (let count = 1; count <= 12; count++) {
    const joined = Array.from({ length: count }, () => "sg" + "p_" + random(40, HEX));
    const once = redact(`see id-${joined.join("")}, then`);
    const placeholders = "[redacted:sourcegraph-token]".repeat(Math.min(count, 8));
    // The ninth and those before it are hidden with the word that they stand in.
    assert.equal(once.text, `see ${count < 8 ? "id-" : ""}${placeholders}, then`, `${count}`);
    assert.deepEqual(redact(once.text), { text: once.text, redactions: [] }, `${count}`);
  }
});

/** [before, after, longest]: what is given may be longer than any pattern reads at once; what ends in a mark, within bounds. */
const long: [string, string, number][] = [
  ["DB_PASSWORD=", "\n", 5_000],
  ["deploy --api-key ", " --verbose", 5_000],
  ["sent bearer ", " to it", 5_000],
  ["Authorization: Bearer ", "\n", 5_000],
  ["curl -s -u app:", " https://host", 5_000],
  ["machine host login me password ", "\n", 2_000],
  ["postgres://app:", "@db.internal:5432/shop", 2_000],
  ["<dbPassword>", "</dbPassword>", 2_000],
];
for (const [before, after, longest] of long) {
  test(`${before}…: a long value leaves no tail`, () => {
    for (const length of [199, 200, 201, 256, 257, 300, 301, longest]) {
      const { text } = redact(before + random(length) + after);
      assert.match(text.slice(before.length), /^\[redacted:[a-z-]+\]/, `${length}`);
      assert.equal(text.slice(text.indexOf("]") + 1), after, `${length}`);
    }
  });
}

test("the same rule is counted once per secret", () => {
  const text = Array.from({ length: 3 }, () => "gh" + "p_" + random(36)).join(" ");
  assert.deepEqual(redact(text).redactions, [{ rule: "github-token", count: 3 }]);
});

const secrets = [...bare.map(([, secret]) => ["", secret, ""]), ...placed.map(([, ...parts]) => parts)] as string[][];
const surrounding = fc.oneof(
  fc.string({ maxLength: 60 }),
  fc.lorem({ maxCount: 12 }),
  fc
    .array(
      fc.constantFrom(
        "token",
        "=",
        '"',
        "'",
        "password",
        ": ",
        "key",
        "\n",
        "{",
        "eyJ",
        "://",
        "-----",
        "[redacted:x]",
      ),
      {
        maxLength: 12,
      },
    )
    .map((parts) => parts.join("")),
);
const planted = fc.tuple(surrounding, fc.constantFrom(...secrets), surrounding);

test("a planted secret disappears, whatever surrounds it", () => {
  fc.assert(
    fc.property(planted, ([left, [before = "", secret = "", after = ""], right]) => {
      // Its own lines: what a secret is glued to may lawfully change what it is.
      const { text } = redact(`${left}\n\n${before}${secret}${after}\n\n${right}`);
      assert.ok(!text.includes(secret), text);
    }),
    { numRuns: runs(250) },
  );
});

test("redacting twice is redacting once, and the counts are the placeholders", () => {
  fc.assert(
    fc.property(fc.array(planted, { minLength: 1, maxLength: 4 }), (parts) => {
      const text = parts.flat(2).join("");
      const once = redact(text);
      assert.deepEqual(redact(once.text), { text: once.text, redactions: [] });
      const placeholders = (value: string) => value.split("[redacted:").length - 1;
      const counted = once.redactions.reduce((sum, { count }) => sum + count, 0);
      assert.equal(placeholders(once.text) - placeholders(text), counted);
      assert.deepEqual(redact(text), once);
    }),
    { numRuns: runs(200) },
  );
});

test("a text without matches is returned unchanged", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 400 }), (text) => {
      const redacted = redact(text);
      if (redacted.redactions.length === 0) assert.equal(redacted.text, text);
    }),
  );
});

test("hostile texts come back", () => {
  for (const piece of [
    "a",
    "=",
    '"',
    "-----BEGIN PRIVATE" + " KEY-----",
    "token=",
    "-eyJ",
    "://a:",
    "curl -u a:",
    "agl" + "pat-",
  ])
    assert.deepEqual(redact(piece.repeat(60_000 / piece.length)).redactions, [], piece);
});

test("values nested beyond all reason are hidden rather than searched for ever", () => {
  const secret = "password=" + random(24) + "7!";
  const quick = { "key=": ` ${secret}`, "authorization:": "" };
  // What takes all passes takes long.
  const all = { ...quick, "secret:a1": ` ${secret}` };
  for (const [piece, beside] of Object.entries(inLane({ fast: quick, long: all, soak: all }))) {
    const { text, redactions } = redact(piece.repeat(400_000 / piece.length) + beside);
    assert.equal(redactions.length, 1, piece);
    assert.ok(text.length < 200_000, piece);
    assert.ok(!text.includes(secret), "and secrets are found beside");
  }
});

test("rules are well formed", () => {
  const rules = [...providerRules, ...recentRules, ...shapeRules, ...commandRules, ...callRules, ...proseRules];
  assert.equal(new Set(rules.map(({ name }) => name)).size, rules.length);
  for (const { name, keywords, pattern: made } of rules) {
    const pattern = made();
    assert.match(name, /^[a-z0-9-]{1,40}$/);
    assert.ok(
      keywords.length > 0 && keywords.every((keyword) => keyword !== "" && keyword === keyword.toLowerCase()),
      name,
    );
    assert.ok(pattern.global, name);
    assert.equal(pattern.hasIndices, /\(\?<(?:secret|opening)>/.test(pattern.source), name);
    assert.doesNotMatch(
      pattern.source.replaceAll(/\\.|\[(?:\\.|[^\]])*\]/g, "c"),
      /[*]|[+](?!\?)|,\}/,
      `${name} is unbounded`,
    );
  }
});

test("of texts redacted together, none hides a keyword behind what nobody sees or what is escaped", () => {
  const [unseen, escaped] = ["Sommer" + "2024!", "q7Rz9KfW2mXbT4vLc8Np".repeat(2) + "Jd5"];
  for (const text of [`pas\u200bsw\u200bord=${unseen}`, `/file%3Fsig%3D${escaped}`]) {
    const [cleaned] = redactEach([text]);
    assert.match(cleaned!, /\[redacted:/);
    assert.ok(!cleaned!.includes(unseen) && !cleaned!.includes(escaped));
  }
});

test("texts redacted together are redacted as each is alone", () => {
  const texts = fc.array(
    fc.oneof(
      surrounding,
      planted.map(([left, secret, right]) => left + secret.join("") + right),
    ),
  );
  fc.assert(
    fc.property(texts, (each) =>
      assert.deepEqual(
        redactEach(each),
        each.map((text) => redact(text).text),
      ),
    ),
  );
});
