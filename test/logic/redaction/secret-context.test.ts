/** Secrets that another line, a heading, a command or a call gives away, and what resembles them: a table for each class. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { redact } from "../../../src/logic/redaction/redaction.ts";

const random = "8fKq2LmZx0Wb" + "7TnRc4Yd9VhJg3Ps6Ae1";
const hex = "9c0e51d7a3f482b6" + "e0d1c94f7ab38256";
const uuid = "0b9e6c1d-" + "4f2a-4c3b-8d7e-1a2b3c4d5e6f";
const encoded = btoa("plum7-Kettle-44");

/** `⟦…⟧` marks what must go; a text without it stays as it is. */
const CLASSES: Record<string, string[]> = {
  "columns of tables": [
    "| Account | Login | Kennwort |\n| --- | --- | --- |\n| QA | qa | ⟦Fuchs-2291-Bau⟧ |\n| CI | ci | `⟦Dachs!88x⟧` |",
    `| Service | Server token |\n|---|---|\n| Mail | ⟦${uuid}⟧ |`,
    "user,password,role\nann,⟦Plover#41q⟧,admin\nben,⟦kite-Harbour88⟧,dev",
    `NAME        CLIENT_SECRET                              AGE\nbilling     ⟦${random}⟧           3d`,
    ` id | username | api_token\n----+----------+------\n  1 | ops      | ⟦${random}⟧`,
    `+----+------+-----+\n| id | name | access_token |\n+----+------+-----+\n| 7 | crm | ⟦${random}⟧ |\n+----+------+-----+`,
    "| What | Value |\n|---|---|\n| Admin password | ⟦Vk38-dolmen-Zest⟧ |",
    "| Setting | Env | Value |\n|---|---|---|\n| DB_PASSWORD | prod | ⟦xK93mdls02Lq⟧ |",
    "| Method | Password | Notes |\n|---|---|---|\n| bcrypt | SHA-256 | old |\n| ldap | required | v2.1+ |",
    "| Secret | Used by |\n|---|---|\n| orders-db-credentials-v2 | orders |\n| `stripe-webhook-2024` | billing |",
    `| Key | Hash |\n|---|---|\n| web-build | ${hex}${hex} |`,
    "name,token_count,cost\nsmall,18234,0.12\nlarge,912,0.33",
    "Key          Value\nregion       eu-central-1\nbuild        20250214183012",
  ],
  "names and values in two columns": [
    "password            ⟦Xk3-9dkeif⟧",
    `Auth Token   ⟦${hex}⟧\nMy number    +15005550006`,
    "prompt_tokens    18234\ntotal_tokens     19146",
  ],
  "Kubernetes secrets": [
    `kind: Secret\nmetadata:\n  name: imgproxy\nstringData:\n  IMGPROXY_SALT: ⟦${hex}⟧\n  username: app`,
    `apiVersion: v1\ndata:\n  SIGNING: ⟦${encoded}⟧\n  host: ${btoa("db.internal")}\nkind: Secret\nmetadata:\n  name: x`,
    `{"apiVersion":"v1","kind":"Secret","data":{"hook":"⟦${encoded}⟧"}}`,
    "kind: Secret\nstringData: { webhook: ⟦Blau-77-Wal⟧, port: 5432 }",
    "kind: Secret\nstringData:\n  webhook: |\n    ⟦Blau-77-Wal⟧\ntype: Opaque",
    "kubectl create secret generic x \\\n  --from-literal api=⟦Kq2LmZx0Wb7T⟧ --from-literal=other='⟦Blau-77-Wal⟧'",
    "kind: Secret\nmetadata:\n  name: x\nstringData:\n  password: ${DB_PASSWORD}\n  username: app",
    `kind: ConfigMap\ndata:\n  LOG_LEVEL: debug\n  COMMIT: ${hex}`,
    `kind: ConfigMap\ndata:\n  REVISION: ${encoded}\n---\nkind: Secret\ndata:\n  hook: ⟦${encoded}A=⟧`,
    `valuesFrom:\n  - kind: Secret\n    name: x\ndata:\n  revision: ${encoded}`,
    `secretGenerator:\n- name: app\n  literals:\n  - session=⟦${random}⟧\n  - username=app`,
    `kubectl create configmap x --from-literal=commit=${hex}`,
  ],
  "values in pieces": [
    `signing_key = (\n    "⟦${random}"\n    "${hex}⟧"\n)`,
    `const token = "⟦gh${"p_"}${random.slice(0, 16)}" +\n  "${random.slice(0, 20)}⟧";`,
    `$key = '⟦AKI${"A"}Q3EGZ' . 'T5Y7WKP2XVM⟧';`,
    `api_key: >-\n  ⟦${random}${random}\n  ${random}⟧\nnext: 1`,
    `export JWT_SECRET="⟦${random}\\\n${random}⟧"`,
    'const url = "https://x.test/" + "api/v1/tokens";',
    'message = "missing token" +\n  "in request 12"',
  ],
  "escaped signs": ["db.password=⟦a\\=b\\#7Kq2Lx⟧", "mail.smtp.password=⟦p4per\\:Moon.281⟧\nmail.host=x"],
  "names of codes and salts": [
    `PASSWORD_PEPPER=⟦${hex}⟧`,
    `ENC_SALT = "⟦${hex}⟧"`,
    '"device_pin": "⟦7391⟧",',
    "The PIN for the meeting room tablet is ⟦4821⟧.",
    "the passcode is ⟦558123⟧",
    "I changed the door PIN to ⟦4821⟧, and PIN for the lift is now ⟦7730⟧.",
    "Pin the port to 5432 and memory to 4096 pages.",
    "We pin node to 2411 until it is fixed.",
    "The security code is 2300 lines.",
    'salt: "checkout"',
    "GPIO pin: 17, baud 115200",
    "The verification code is 6 digits long and expires in 300 seconds.",
    "The PIN is 1234 by default.",
  ],
  "recovery codes and setup keys": [
    "Recovery codes for the shared account (keep these!)\n⟦2ff16-40f02⟧   ⟦3bc19-d8bf4⟧\n⟦fe4c2-9db6a⟧   ⟦7e5f3-3abca⟧",
    "Backup codes: ⟦8431-2290⟧, ⟦1177-4205⟧",
    "recovery codes\n\n```\n⟦a1b2c-3d4e5⟧\n⟦f6a7b-8c9d0⟧\n```",
    "backup codes:\n1. ⟦4821 7730⟧\n2. ⟦9934 1120⟧",
    '{"recovery_codes": ["⟦ab12c3de4f⟧", "⟦9f8e7d6c5b⟧"]}',
    "Enter this setup key in your authenticator app:\n⟦ypf7 2mov 7xzq 7nlk yx7c wl43 ip2b bs6e⟧",
    "Backup codes: ⟦abcde-f1234⟧, ⟦2ff16-40f02⟧",
    "Recovery code for the vault: ⟦2ff16-40f02⟧",
    "Emergency code freeze: 20261224",
    "One-time code review:\nPR12345678",
    "Backup keys:\n- backup-daily-0123\n- backup-weekly-0456",
    "Backup code paths live in src/backup.\nThey were split in 2024.",
    "recovery codes\n10 codes are generated per user in 2024",
  ],
  "arguments of calls": [
    'new NetworkCredential("svc_reports", "⟦Bl4ue!Tractor#7⟧", "EMEA");',
    'auth = HTTPBasicAuth("svc-jira", "⟦kite-Harbour88⟧")',
    'smtp.PlainAuth("", "mailer@x.test", "⟦Hz7!Quartz_lime⟧", "mail.x.test")',
    'DriverManager.getConnection("jdbc:oracle:thin:@db:1521/X", "app", "⟦tiger_Lily9⟧");',
    "$pdo = new PDO('mysql:host=db;dbname=app', 'app', '⟦Hz7-Quartz-lime⟧');",
    `algoliasearch('QV6W7HA3LF', '⟦${hex}⟧');`,
    "jwt.sign({ id: 4 }, '⟦kettle-Thunder-9x⟧')",
    "crypto.createHmac('sha256', '⟦bramble&Owl77⟧').update(body)",
    'requests.get(url, auth=("svc", "⟦gr4f-Otter-Lamp⟧"))',
    'passport.authenticate("local", "failureRedirect")',
    'await login("user", "password");',
    "cy.login('admin', 'admin123')",
    "crypto.createHmac('sha256', process.env.KEY).update(body)",
  ],
  "sentences that announce a value": [
    `wrangler wants CLOUDFLARE_API_TOKEN. I created one with Scripts:Edit:\n⟦${random}⟧\naccount id is ${hex}`,
    `Here is the API key for staging:\n\n\`\`\`\n⟦${random}⟧\n\`\`\``,
    "The password for the wiki is this one:\n⟦Krokus-88-Tal⟧",
    `Hier der Schlüssel für die Test-API:\n⟦${hex}⟧`,
    `Use this token for the staging API: ⟦${random}⟧ (expires Friday)`,
    `The new webhook secret for orders is ⟦${hex}⟧, please deploy.`,
    "Created user app with generated password ⟦Hz7Quartz9limeKw⟧",
    "creds: admin / ⟦gr4f-Otter-Lamp⟧",
    "Le mot de passe du NAS est maintenant ⟦Mirabelle-93-Nuit⟧.",
    `The secret is ${random.slice(0, 20)}..[redacted by hand]`,
    `The public key fingerprint is:\n${random}`,
    `The cache key for this build:\nlinux-node-${hex}`,
    "The token expired:\n2025-11-03T10:22:11Z",
    "Missing secret:\n/run/secrets/db_password_v2",
    `The key insight from commit \`${hex}12345678\` is simple.`,
  ],
  "output of commands": [
    "$ terraform output -raw kubeconfig_client_token; echo\n⟦les8dwbyryuu768d.46cn6tyjdvzdwvq2⟧\n$ wc -l x\n3",
    `$ gh auth token\n⟦${random}⟧`,
    '$ kubectl get secret x -o jsonpath="{.data.password}" | base64 -d; echo\n⟦Xk39-mPq2LwZ0tRb⟧',
    '❯ op read "op://Infra/db/password"\n⟦plum9-Orbit-kite⟧',
    "$ vault kv get -field=password secret/db\n⟦Hz7-Quartz-lime⟧",
    `$ curl -s -d @login.json https://api.x.test/login | jq -r .access_token\n⟦${random}⟧`,
    `$ openssl rand -hex 32\n⟦${hex}${hex}⟧`,
    "$ vault kv get -field=password secret/db | wc -c\n15",
    `$ git rev-parse HEAD\n${hex}12345678`,
    "$ kubectl get secret orders-db -o name\nsecret/orders-db",
    `$ curl -H "Authorization: Bearer $TOKEN" https://x.test/me | jq -r .id\n${hex}`,
    "$ cat token_counts.txt\n18234",
  ],
  "settings and commands": [
    "ansible_become_pass: ⟦Hz7-Quartz-lime⟧",
    "[client]\nuser=backup\npassword=⟦kite-harbour-88⟧",
    "requirepass ⟦Hz7QuartzLime2024⟧",
    "<password><![CDATA[⟦Hz7-Quartz-lime⟧]]></password>",
    "net use Z: \\\\fs02\\share ⟦Blau!Wal77⟧ /user:CORP\\svc",
    "sqlplus app/⟦gr4f_Otter9@//db:1521/X⟧",
    "rclone obscure ⟦gr4f-Otter-Lamp⟧",
    "password = settings-v2-Loader.password",
  ],
  "signed addresses": [
    `https://b.s3.test/x.zip?X-Amz-Expires=604800&X-Amz-Signature=⟦${hex}${hex}⟧`,
    `https://storage.test/b/x?X-Goog-SignedHeaders=host&X-Goog-Signature=⟦${hex.repeat(16)}⟧&y=1`,
    `https://cdn.test/x?Expires=1767225600&Signature=⟦${random}~${random}__⟧&Key-Pair-Id=K2JCJMDEHXQW5F`,
    `https://oss.test/x?OSSAccessKeyId=me&amp;Signature=⟦${random}%3D⟧`,
    "https://x.test/docs?signature=function-and-types&page=2",
  ],
  "escaped text": [
    "{db.password\\u003d⟦q7Rz9KfW2mXbT4vLc8Np⟧, host\\u003ddb}",
    "{&quot;password&quot;:&quot;⟦q7Rz9KfW2mXbT4vLc8Np⟧&quot;,&quot;host&quot;:&quot;db&quot;}",
    "{&#34;api_key&#34;:&#34;⟦q7Rz9KfW2mXbT4vLc8Np⟧&#34;}",
    "&#x27;client_secret&#x27;&#x3D;&gt;&#x27;⟦q7Rz9KfW2mXbT4vLc8Np⟧&#x27;",
    "https://x.test/go?to=%2Fhome%3Ftoken%3D⟦q7Rz9KfW2mXbT4vLc8Np⟧%26page%3D2",
    "https://x.test/go?to=%252Fhome%253Ftoken%253D⟦q7Rz9KfW2mXbT4vLc8Np⟧",
    "body=%7B%22password%22%3A%22⟦q7Rz9KfW2mXbT4vLc8Np⟧%22%7D",
    '"secret\\x3d⟦q7Rz9KfW2mXbT4vLc8Np⟧"',
    "https://x.test/?q=cache%20key%3Dlinux-node-22 and {&quot;token&quot;:&quot;string&quot;}",
    "author\\u003dq7Rz9KfW2mXbT4vLc8Np",
  ],
  "passwords and keys that commands take": [
    "jdbc:oracle:thin:scott/⟦q7Rz9KfW2mXb⟧@//db:1521/orcl",
    "jdbc.url=jdbc:oracle:oci:app/⟦gr4f_Otter9⟧@ORCL",
    "jdbc:oracle:thin:@//db:1521/orcl",
    "vault kv put secret/app value=⟦q7Rz9KfW2mXbT4vLc8Np⟧ note='⟦gr4f-Otter-Lamp⟧'",
    "vault kv put secret/hello foo=world ttl=30m",
    "vault write auth/approle/role/ci token_ttl=20m token_max_ttl=30m",
    "fly secrets set MAILER=⟦q7Rz9KfW2mXbT4vLc8Np⟧",
    "aws secretsmanager put-secret-value --secret-id app --secret-string ⟦q7Rz9KfW2mXbT4vLc8Np⟧",
    "aws ssm put-parameter --name /app/x --type SecureString --value '⟦gr4f-Otter-Lamp7⟧'",
    "gh secret set DEPLOY --body ⟦q7Rz9KfW2mXbT4vLc8Np⟧",
    "az keyvault secret set --vault-name v --name n --value ⟦q7Rz9KfW2mXbT4vLc8Np⟧",
    "aws ssm put-parameter --name /app/level --type String --value verbose-2026-q1",
    "gh pr create --title x --body q7Rz9KfW2mXbT4vLc8Np",
    "useradd -m -p ⟦q7Rz9KfW2mXbT4vLc8Np⟧ bob",
    "usermod -p '⟦gr4f-Otter-Lamp⟧' bob",
    "net user bob ⟦gr4f-Otter-Lamp7⟧ /add",
    "net user bob ⟦ottervalley⟧ /add",
    "Notes of the net user support team meeting2024",
    "cqlsh -u app -p ⟦gr4f-Otter-Lamp⟧ db",
    "ssh-keygen -t ed25519 -N ⟦gr4f-Otter-Lamp⟧ -f id",
    "mkdir -p build/useradd && cp -p a b",
    "aws ssm put-parameter --name /app/db --value ⟦gr4f-Otter-Lamp7⟧ --type SecureString",
    "vault kv put secret/app \\\n db=⟦gr4f-Otter-Lamp7⟧",
    "gh secret set DEPLOY -b⟦q7Rz9KfW2mXbT4vLc8Np⟧",
    'net user "Bob B" ⟦gr4f-Otter-Lamp7⟧ /add',
    "ssh-keygen -t ed25519 -N '⟦my otter, lamp 9!⟧' -f id",
    "fly secrets set NODE_ENV=production LOG_LEVEL=debug",
    "doppler secrets set REGION=eu-west-1",
    "vault kv put secret/a ttl=3600s env=production",
  ],
  "phrases with blanks that are set for a command or put into a store": [
    "export BORG_PASSPHRASE='⟦my otter, lamp 9⟧'",
    'RESTIC_PASSWORD="⟦otter lamp valley⟧" restic check',
    "- DB_PASSWORD='⟦otter valley⟧'",
    "vault kv put secret/db password='⟦otter over the lake⟧' note='⟦blue lamp of the otter⟧'",
    "gh secret set DEPLOY --body '⟦otter over the lake⟧'",
    'DB_PASSWORD="$(pass show db admin)"',
    'INVALID_PASSWORD="The two do not match"',
    'LOGIN_PASSWORD="Your password is wrong"',
    "const PASSWORD = 'two words here'",
    "PASSPHRASE_FILE='/etc/borg/my file'",
    "vault kv put secret/a env='blue and green'",
  ],
  "names in bold type, and with what they are for": [
    "**Password:** ⟦gr4f-Otter-Lamp7⟧",
    "**Password**: ⟦gr4f-Otter-Lamp7⟧",
    "__Password:__ ⟦gr4f-Otter-Lamp7⟧",
    "- **User:** bob\n- **Password:** `⟦gr4f-Otter-Lamp7⟧`",
    "Password (staging): ⟦gr4f-Otter-Lamp7⟧",
    "password：⟦gr4f-Otter-Lamp7⟧",
    "**API key:** ⟦q7Rz9KfW2mXbT4vLc8Np⟧",
    "**Password:** required, at least 12 characters",
    "**Key:** the primary key of the table",
    "**Token:** estimated by bytes / 3",
    "Passwords (plural): never stored",
    "암호는 ⟦gr4f-Otter-Lamp7⟧",
    "암호화는 AES-256-GCM을 사용한다",
  ],
  "logins, headers and words of other languages": [
    "creds bob:⟦q7Rz9KfW2mXbT4vLc8Np⟧",
    "Login for staging is ops:⟦q7Rz9KfW2mXbT4vLc8Np⟧ since May",
    "login src/auth:handleLoginRequestV2Callback",
    `x-auth: ⟦${hex}⟧`,
    `REDIS_AUTH=⟦${random}⟧`,
    "auth: required\nbasic_auth: disabled-since-2024",
    'headers.set("Authorization", "Bearer " + "⟦q7Rz9KfW2mXbT4vLc8Np⟧")',
    "$headers['Authorization'] = 'Basic ' . '⟦q7Rz9KfW2mXbT4vLc8Np⟧';",
    'headers.set("Authorization", "Bearer " + session.accessToken2)',
    ...["wachtwoord", "hasło", "lösenord", "Passord", "heslo", "salasana", "şifre", "jelszó", "mật khẩu", "סיסמה"].map(
      (word) => `${word}: ⟦q7Rz9KfW2mXbT4vLc8Np⟧`,
    ),
    "Het wachtwoord van de NAS is ⟦Krokus-88-Tal⟧.",
    "db_wachtwoord=⟦Krokus-88-Tal⟧\nHASLO=⟦Krokus-88-Tal⟧\ncontraseña=⟦Krokus-88-Tal⟧",
    "wachtwoord: verplicht\nhasło: wymagane\nlösenord: minst 12 tecken",
  ],
  "private keys in hexadecimal": [
    `Private key (hex) for the deployer wallet 0x⟦${hex}${hex}⟧`,
    `The signing key of the relayer (secp256k1), hex: ⟦${hex}${hex}⟧`,
    `The fingerprint (SHA-256) of our private key file, from ssh: ${hex}${hex}`,
    `The signing key produced image ${hex}${hex}`,
    `The private key is in the vault. The digest of the file is ${hex}${hex}`,
  ],
  "one-time links": [
    "https://x.test/reset-password/⟦q7Rz9KfW2mXbT4vLc8Np⟧",
    `https://x.test/login/verify?t=⟦${random}⟧&from=mail`,
    `/magic-link/⟦${hex}⟧`,
    `https://x.test/invite/accept?org=7&code=⟦${random}⟧`,
    `https://x.test/acme/login/commit/${hex}12345678`,
    "src/login/verify/check-session-2fa-handler.test.ts",
    `https://x.test/invitations/${uuid}`,
    "GET /login/verify?returnTo=dashboard-2024-overview",
  ],
  "keys of caches and names of resources": [
    `Cache hit for restore-key: Linux-cargo-${hex}${hex}`,
    `Restored cache with key: Linux-node-22-${hex}${hex}`,
    "arn:aws:secretsmanager:eu-west-1:994948766329:secret:prod/db/master-R4LCrd",
  ],
};

for (const [name, texts] of Object.entries(CLASSES))
  test(`${name}: secrets go, what resembles them stays`, () => {
    for (const marked of texts) {
      const text = marked.replaceAll(/[⟦⟧]/g, "");
      const expected = marked.replaceAll(/⟦[^⟧]*⟧/g, "[…]");
      assert.equal(redact(text).text.replaceAll(/\[redacted:[a-z0-9-]+\]/g, "[…]"), expected, marked);
      const windows = text.replaceAll("\n", "\r\n");
      assert.equal(redact(windows).redactions.length > 0, marked.includes("⟦"), `with carriage returns: ${marked}`);
    }
  });

test("a wrapped token goes to its last line and no further", () => {
  const token = `sk-ant-oat01-${random}${random}`;
  const text = `${token}\n${random}\nthe rest of the text\n`;
  assert.equal(redact(text).text, "[redacted:prefixed-token]\nthe rest of the text\n");
  assert.equal(redact(`${token}\nthe rest\n`).text, "[redacted:prefixed-token]\nthe rest\n");
});

test("a heading reaches so far, and no growing text is judged by more", () => {
  const rows = (count: number) => `| x | ${"of the seals ".repeat(8)} |\n`.repeat(count);
  const head = "| Password | Notes |\n|---|---|\n";
  const row = "| Krokus-88-Tal | x |\n";
  assert.notEqual(redact(head + rows(20) + row).redactions.length, 0);
  assert.equal(redact(head + rows(200) + row).redactions.length, 0);
});
