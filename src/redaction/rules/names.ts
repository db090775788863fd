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
  app application client consumer server shared hmac aes jwt session cookie license root iam cloud cos sl`);
/** Services that issue keys. Alone before a sign and a random value, or as a client's id, they name one too. */
export const SERVICES = wordSet(`
  abstractapi abuseipdb accuweather adafruit adobe adyen aftership agora ahrefs airbrake airtable aiven alchemy
  algolia alibaba alphavantage amplitude anthropic anyscale apify appcues appsflyer artifactory asana assemblyai
  atlassian auth0 authy aws aylien azure backblaze beamer bitbucket bitfinex bitly bitmex blockfrost braintree braze
  brevo browserstack bugsnag buildkite bunny calendly cerebras chargebee chargify chartmogul chatgpt checkly checkout
  circleci clarifai claude clearbit clerk clickhouse clicksend clickup clockify close cloudant cloudconvert cloudflare
  cloudinary cloudsmith cockroach coda codacy codeclimate codecov codemagic cohere coinapi coinbase coinmarketcap
  confluence confluent contentful convertkit coveralls crowdin cryptocompare currencylayer databricks datadog deepgram
  deepl deepseek detectify dialpad digicert digitalocean discogs discord disqus docker docusign doppler dotdigital
  droneci dropbox duffel dynatrace easypost edamam elevenlabs etsy eventbrite exchangerate facebook fastly fauna figma
  filestack finage finicity finnhub firebase fireworks flickr flightaware flutterwave flyio foursquare frameio
  freshbooks freshdesk fullstory gcp gemini geoapify geocodio getresponse giphy github gitlab gitter gocardless google
  grafana groq gumroad happi helpscout heroku honeycomb hotjar hubspot huggingface ibm imagekit imgur infracost infura
  instagram intercom invoiced ipdata ipinfo ipstack jenkins jfrog jira jotform jumpcloud kickbox klaviyo kraken
  kubecost kucoin lastfm launchdarkly lemlist linear linkedin linode livechat lob locationiq logdna loggly logz
  mailchimp mailerlite mailgun mailjet mailtrap mandrill mapbox mapquest marketstack maxmind meraki messagebird
  microsoft mistral mixpanel monday moonpay moralis mux myfatoorah netlify newrelic newsapi nexmo ngrok notion npm
  numverify nvidia nylas nytimes octopus okta onesignal onfido openai opencage openrouter openweather opsgenie
  optimizely pagerduty pandadoc pastebin paypal paystack pendo perplexity pexels pinata pinecone pingdom pinterest
  pipedream pipedrive plaid planetscale planview plivo postman postmark privateai pubnub pulumi pusher quickbase
  quicknode rapidapi razorpay recurly reddit replicate resend ringcentral rollbar salesforce saucelabs scaleway
  scalingo scrapingbee sendbird sendgrid sendinblue sentry serpapi shippo shodan shopify sidekiq sinch skybiometry
  slack smartsheet snapchat snowflake snyk softlayer sonarcloud sonarqube sparkpost splunk spotify squarespace
  squareup stability storyblok strava stripe stytch sumo sumologic supabase surveymonkey tailscale tavily teamwork
  telegram telnyx terraform tiingo tineye todoist tomtom travis trello trustpilot twilio twitch twitter typeform
  unsplash upcloud uploadcare uptimerobot urlscan vercel virustotal vonage voyage vultr wakatime weatherbit
  weatherstack webex webflow wistia wix woocommerce workos wrike xero yandex yelp youtube zapier zendesk zenrows
  zenserp zeplin zoho zoom`);
const isService = (part: string): boolean =>
  SERVICES.has(part) || SERVICES.has(part.replace(/(?:ai|api|app|ci|hq|io)$/, ""));
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
  if (isServiceName(own)) return "key";
  if (!/keys?$/.test(last) || WORDS_IN_KEY.test(last)) return undefined;
  const before = [...apart, ...own.slice(0, -1)];
  if (/^keys?$/.test(last) && before.some((part) => QUALIFIERS.has(part) || part.endsWith("api") || isService(part)))
    return "secret";
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

/** `datadog`, `prod_datadog`, `adobe_client_id`: half of a login, and all of it where it stands for the whole. */
function isServiceName(own: readonly string[]): boolean {
  const isClient = /^(?:client|app|application|consumer|access) id$/.test(own.slice(-2).join(" "));
  return isClient ? own.some((part) => isService(part)) : isService(own.findLast((part) => part !== "api") ?? "");
}

/** What works on code: its values are commits and digests more often than keys. */
const ABOUT_CODE = /(?:bitbucket|buildkite|checkout|circleci|codecov|docker|github|gitlab|jenkins|npm|travis)$/i;

/** Whether no more is said than "key", or the name of a service: a key of a map as often as one that opens something. */
export function isBareKey(name: string): boolean {
  const own = wordsOf(name.split(" ").at(-1)!);
  return nameKind(name) === "key" && (/^keys?$/.test(own.join("")) || isServiceName(own));
}

/** Whether only a service is named. */
export const isBareService = (name: string): boolean => isServiceName(wordsOf(name.split(" ").at(-1)!));

/** Whether a value as long as a digest may well be one. */
export const mayNameDigest = (name: string): boolean => /(?:^|[^a-z])keys?$/i.test(name) || ABOUT_CODE.test(name);

// The forms in which a name and its value meet: settings, code, markup, calls and logs.
//
// Only the decisive end of a name is matched; the rest is read backwards from there, because trying every possible start
// would be quadratic.

/** Lower case; a text with none of them names nothing. */
export const NAMES = [
  ..."pass pwd pw psk mdp kennwort secret token key credential cred salt pepper hmac auth _pat -pat".split(" "),
  ...PASSWORD_WORDS,
];

const END = String.raw`(?<end>(?:pass(?:w(?:or)?d|wort|phrase|code)?|${PASSWORD_WORDS.join("|")}|auth\b|kennwort|pwd|pw|psk|mdp|secret|token|key|cred(?:ential)?|salt|pepper|hmac|(?<=[_-])pat\b)[\w.-]{0,24})`;

// What may close a name: a quote, a bracket, the size of an array, the end of bold type.
const CLOSING = String.raw`\\{0,3}["'\x60]?\]?(?:\[\d{0,6}\])?\*{0,3}`;

const OPERATORS = [
  // A typed declaration.
  String.raw`[ \t]{0,16}:[ \t]{0,4}[&a-z][\w.<>[\]|?&' ]{0,40}=(?=[ \t])`,
  String.raw`[ \t]{1,4}\*?(?:string|str)[ \t]{0,4}=`,
  String.raw`(?:[ \t]{0,16}|\r?\n[ \t]{0,16}(?==))(?:[:：=!~]{1,4}>?|[.?+|&]{1,2}=|->|<-)`,
  String.raw`[ \t]{1,16}is\b`,
  // The value of a pair whose name is also a value.
  String.raw`\s{0,40},?\s{0,40}\\?["']?\b(?:value|val|default|content|string)\\?["']?[ \t]{0,4}(?:=>|[:=])`,
  // The text of an element named by an attribute, or by the element before it.
  String.raw`\s{0,4}(?:[\w:-]{1,30}=["'][^"'<>]{0,60}["']\s{0,4}){0,3}>`,
  String.raw`<\/[\w:.-]{1,30}>\s{0,40}<[\w:.-]{1,30}>`,
].join("|");

// A comma or a space is weaker: what follows must be quoted or long.
const LOOSE = [
  String.raw`(?<=["'])[ \t]{0,4}(?<comma>,)(?=[ \t]{0,4}\\{0,3}["'])`,
  String.raw`(?<loose>\((?=[ \t]{0,4}["'])|[ \t]{1,4}\.?[ \t]{0,4}(?=["'\x60])|[ \t]{0,4}[|;\t ][ \t]{0,4}(?=[\w+/=.~-]{20}))`,
].join("|");

// A list, a constructor, a type or another object around the value.
const AROUND = String.raw`(?:(?<around>[\[({]|\b[\w.]{1,30}\(|!!str[ \t])\s{0,8}(?:["']?value["']?[ \t]{0,4}[:=][ \t]{0,4})?)?`;

// Bold type may end behind a colon. The value may begin on the next line, after the sign of a block or of a continued line.
const GAP = String.raw`(?:(?:\*{1,3}|_{1,3})(?=[ \t]))?[ \t]{0,16}(?<below>(?:[|>][-+]?|\\)?[ \t]{0,4}\r?\n[ \t]{0,40})?`;

const QUOTED = String.raw`[fbru@]{0,2}(?:["'](?=\\["']))?(?<quote>\\{0,3}["'\x60])(?<secret>(?:(?!\k<quote>)\S){6,256})(?:\k<quote>|$|(?<=\S{256}))`;
/** Of a very long one only the beginning. Files of properties escape signs, `a\:b`. */
const BARE = String.raw`(?<bare>(?:[^\s"'\x60<>\\,;]|\\[^\w\s"'\x60\\]){6,256})`;

const VALUE = String.raw`${GAP}${AROUND}(?:${QUOTED}|${BARE})`;

export const assignment = (): RegExp => new RegExp(`${END}${CLOSING}(?<link>${OPERATORS}|${LOOSE})${VALUE}`, "dgi");

/** What stands in every line of a transcript: judging each would take long. */
const UNLESS_ID = String.raw`(?<!(?:["'](?:id|time)|uuid|timestamp|(?:session|use)_?id)["']?:)`;

/**
 * Any name before a sign and a long value that has a digit. Begins at the sign, which most words lack, and looks back from
 * there.
 */
export const longAssignment = (): RegExp =>
  new RegExp(
    String.raw`(?<link>:=|=>|={1,3}|[:>]|\((?=[ \t]{0,4}["']))${UNLESS_ID}(?=\s{0,16}\\?["'\x60]?(?!\/)[\w+/=.~:-]{20})(?=[\s"'\x60\\]{0,18}[^\s\d]{0,40}\d)(?<=(?<key>[\w.-]{2,64})${CLOSING}\s{0,16}\k<link>)${VALUE}`,
    "dgi",
  );
