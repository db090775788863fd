/**
 * Provider keys: credentials recognised by a vendor's own prefix or shape.
 *
 * Rules are data. Every quantifier is bounded, so a hostile text costs constant time per position; a pattern runs only
 * on texts that contain one of its keywords. Refused: identifiers that unlock nothing, such as account ids and
 * publishable keys.
 */

export type SecretRule = {
  /** Shown in the placeholder. */
  readonly name: string;
  /** Lower case; a text with none of them is not searched. */
  readonly keywords: readonly string[];
  /** A sign without which it cannot match; checked where keywords are common words. */
  readonly needs?: string;
  /**
   * `(?<secret>…)` marks the part to redact (the whole match without it), `(?<key>…)` its name, `(?<opening>…)` what
   * belongs to it before the match.
   */
  readonly pattern: () => RegExp;
  /** Bits per character below which a match is a placeholder. */
  readonly minEntropy: number;
  /** A keyword may be anywhere in the text, far from the secret. */
  readonly isFar?: boolean;
  /** How a match is checked: by shape alone, or also by its name and value. */
  readonly judge:
    | "shape"
    | "mask"
    | "block"
    | "random"
    | "password"
    | "typed"
    | "header"
    | "login"
    | "encoded-key"
    | "cell"
    | "option"
    | "assignment"
    | "said"
    | "token";
};

/** Makes a pattern when it is first used: a hook needs few of them, and making all would be a good part of its time. */
export function once(make: () => RegExp): () => RegExp {
  let made: RegExp | undefined;
  return () => (made ??= make());
}

type Options = { minEntropy?: number; judge?: "shape" | "random"; isFar?: boolean };

/** A rule for keys that a prefix gives away. */
export function key(name: string, keywords: string, pattern: () => RegExp, options: Options = {}): SecretRule {
  return { name, keywords: keywords.split(" "), pattern: once(pattern), minEntropy: 3, judge: "shape", ...options };
}

const cloud: SecretRule[] = [
  // Short DNA sequences are also written as twenty capitals.
  key(
    "aws-access-key",
    "akia asia abia acca a3t",
    () => /(?:A3T[A-Z0-9]|AKIA|ASIA|ABIA|ACCA)(?![ACGT]{16})[A-Z0-9]{16}/g,
    {
      minEntropy: 0,
    },
  ),
  key(
    "aws-secret-key",
    "aws",
    () => /aws[\w .-]{0,30}key\\?["']?\s{0,4}[=:]{1,2}\s{0,4}\\?["']?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dgi,
    { minEntropy: 3.5 },
  ),
  key("aws-bedrock-key", "absk bedrock-api-key-", () => /(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/]{100,300}={0,2}/g),
  key("google-api-key", "aiza", () => /AIza[\w-]{35}/g),
  key("google-oauth", "ya29. gocspx- 1//0", () => /ya29\.[\w-]{20,400}|GOCSPX-[\w-]{28}|1\/\/0[\w-]{40,200}/g),
  key(
    "azure-storage-key",
    "accountkey sharedaccesskey",
    () => /(?:Account|SharedAccess)Key=(?<secret>[A-Za-z0-9+/]{43,88}={0,2})/dgi,
  ),
  key("azure-shared-access-signature", "sig=", () => /[?&]sig=(?<secret>[A-Za-z0-9%+/]{40,90}(?:%3D|=)?)/dgi),
  key("azure-client-secret", "q~", () => /(?<![\w~.,/-](?<!\\[nrt]))[\w~.]{3}\dQ~[\w~.-]{31,34}(?![\w~.-])/g),
  key("alibaba-access-key", "ltai", () => /LTAI[A-Za-z0-9]{17,24}/g, { judge: "random" }),
  key("digitalocean-token", "doo_v1_ dop_v1_ dor_v1_", () => /do[opr]_v1_[a-f0-9]{64}/g),
  key("cloudflare-token", "cfut_ cfat_ cfk_", () => /cf(?:ut|at|k)_[A-Za-z0-9]{37,64}/g),
  // Keys that carry the sign of their service at a fixed place.
  key(
    "azure-signed-key",
    "azdo jqqj99 apim acdb azfu azse +acr +aba +amc +ast +asb +aeh +arm aiot",
    () =>
      /[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}|[A-Za-z0-9]{52}JQQJ99[A-Za-z0-9]{26}|[A-Za-z0-9+/]{76}(?:APIM|ACDb|\+(?:ABa|AMC|ASt))[A-Za-z0-9+/]{5}[AQgw]==|[A-Za-z0-9+/]{33}(?:AIoT|\+(?:ASb|AEh|ARm))[A-Za-z0-9+/]{5}=|[\w-]{44}AzFu[\w-]{5}[AQgw]==|[A-Za-z0-9]{42}AzSe[A-D][A-Za-z0-9]{5}|[A-Za-z0-9+/]{42}\+ACR[A-D][A-Za-z0-9]{5}/g,
  ),
  key("azure-devops-token", "azure devops visualstudio vsts", () => /(?=[a-z2-7]{0,51}[2-7])[a-z2-7]{52}/g, {
    isFar: true,
  }),
  key("cloudflare-origin-key", "v1.0-", () => /v1\.0-[a-f0-9]{24}-[a-f0-9]{146}/g),
  key("heroku-key", "hrku-", () => /HRKU-[\w-]{36,80}/g),
  key("softlayer-key", "softlayer.com", () => /api\.softlayer\.com\/soap\/v3(?:\.1)?\/(?<secret>[a-z0-9]{64})/dgi, {
    minEntropy: 2.5,
  }),
  key("flyio-token", "fo1_ fm1 fm2", () => /fo1_[\w-]{20,60}|fm[12][ar]?_[A-Za-z0-9+/=,_-]{40,700}/g, {
    judge: "random",
  }),
  key("netlify-token", "nfp_", () => /nfp_[A-Za-z0-9]{36,50}/g),
  key("supabase-token", "sbp_ sb_secret_", () => /sbp_[a-f0-9]{40}|sb_secret_[\w-]{30,50}/g),
  key("planetscale-token", "pscale_", () => /pscale_(?:tkn|pw|oauth)_[\w.=-]{32,64}/g),
  key("tailscale-key", "tskey-", () => /tskey-[a-z]{3,12}-[\w-]{20,80}/g),
  key("openshift-token", "sha256~", () => /sha256~[\w-]{43}/g),
];

const code: SecretRule[] = [
  key(
    "github-token",
    "ghp_ gho_ ghu_ ghs_ ghr_ github_pat_",
    () => /gh[pousr]_[A-Za-z0-9]{36,255}|github_pat_\w{60,255}/g,
  ),
  key(
    "gitlab-token",
    "glpat- gldt- glft- glsoat- glrt- glcbt- glptt- glagent- glimt- gloas- glffct- gr1348941",
    () =>
      /gl(?:pat|dt|ft|soat|rt)-[\w-]{20,50}(?![\w-])|gl(?:pat|rt)-[\w-]{20,300}\.[0-9a-z.]{9,12}|gl(?:cbt|ffct)-[\w-]{20,80}|glimt-[\w-]{25}(?![\w-])|glptt-[\w-]{40}(?![\w-])|glagent-[\w-]{50,300}|gloas-[\w-]{64}(?![\w-])|GR1348941[\w-]{20,50}(?![\w-])/g,
  ),
  key("bitbucket-token", "atbb", () => /ATBB[A-Za-z0-9]{32}/g),
  key("atlassian-token", "atatt3 atctt3", () => /AT[AC]TT3[\w=-]{60,300}/g),
  key("npm-token", "npm_", () => /npm_[A-Za-z0-9]{36,64}/g),
  key(
    "npmrc-token",
    "_auth",
    () => /(?<![A-Za-z0-9](?<!\\[nrt]))_auth(?:Token)?[ \t]{0,3}=[ \t]{0,3}["']?(?<secret>[\w.+/=-]{16,400})/dg,
    { minEntropy: 2.8, judge: "random" },
  ),
  key("pypi-token", "pypi-age", () => /pypi-AgE[\w-]{90,400}/g),
  key("rubygems-token", "rubygems_", () => /rubygems_[a-f0-9]{48}/g),
  key("clojars-token", "clojars_", () => /CLOJARS_[a-z0-9]{60}/gi),
  key("docker-token", "dckr_", () => /dckr_[op]at_[\w-]{27,40}/g),
  key(
    "artifactory-token",
    "akc ap cmvmd",
    () => /(?<![\w+/.-](?<!\\[nrt]))(?:AKC[A-Za-z0-9]{20,80}|AP[0-9A-F][A-Za-z0-9]{20,80}|cmVmd[A-Za-z0-9]{59})/g,
    {
      minEntropy: 3.5,
      judge: "random",
    },
  ),
  key(
    "sourcegraph-token",
    "sgp_ sourcegraph",
    () => /sgp_(?:[a-f0-9]{16}_|local_)?[a-f0-9]{40}|sourcegraph\W{1,5}(?<secret>[a-f0-9]{40})/dgi,
  ),
  key("pulumi-token", "pul-", () => /pul-[a-f0-9]{40}/g),
  key("terraform-token", ".atlasv1.", () => /[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}/g),
  key("vault-token", "hvs. hvb. hvr.", () => /hv[sbr]\.[\w-]{24,300}/g),
  key(
    "vault-legacy-token",
    "s.",
    () =>
      /(?<![\w.$)\]-](?<!\\[nrt]))s\.(?=[A-Z0-9]{0,23}[a-z])(?=[a-z0-9]{0,23}[A-Z])(?=[A-Za-z]{0,23}\d)[A-Za-z0-9]{24}/g,
    {
      minEntropy: 3.5,
      judge: "random",
    },
  ),
  key("doppler-token", "dp.", () => /dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}/g),
  key("buildkite-token", "bkua_", () => /bkua_[a-z0-9]{40}/g),
  key("circleci-token", "ccipat_", () => /CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}/g),
  key("octopus-key", "api-", () => /API-[A-Z0-9]{26}/g),
  key("infracost-token", "ico-", () => /(?<![\w.-](?<!\\[nrt]))ico-[A-Za-z0-9]{32}/g),
  key("prefect-token", "pnu_", () => /pnu_[A-Za-z0-9]{36}/g),
  key("postman-key", "pmak-", () => /PMAK-[a-f0-9]{24}-[a-f0-9]{34}/g),
  key("age-key", "age-secret-key-1", () => /AGE-SECRET-KEY-1[QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L]{58}/g),
  key("onepassword-token", "ops_eyj", () => /ops_eyJ[A-Za-z0-9+/=_-]{200,2000}/g),
  key("onepassword-key", "a3-", () => /A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}/g),
];

const models: SecretRule[] = [
  key("anthropic-key", "sk-ant-", () => /sk-ant-[a-z]{2,10}\d{2}-[\w-]{80,200}/g),
  key(
    "openai-key",
    "sk-",
    () => /sk-(?:proj|svcacct|admin|service|None)-[\w-]{32,200}|sk-[A-Za-z0-9]{32,64}(?![\w-])/g,
    {
      judge: "random",
    },
  ),
  key("openrouter-key", "sk-or-", () => /sk-or-v1-[a-f0-9]{64}/g),
  key("huggingface-token", "hf_ api_org_", () => /(?:hf|api_org)_[A-Za-z0-9]{34,40}/g, {
    minEntropy: 3.5,
    judge: "random",
  }),
  key("perplexity-key", "pplx-", () => /pplx-[A-Za-z0-9]{48}/g),
  key("groq-key", "gsk_", () => /gsk_[A-Za-z0-9]{52}/g),
  key("xai-key", "xai-", () => /xai-[A-Za-z0-9]{80}/g),
  key("replicate-token", "r8_", () => /r8_[A-Za-z0-9]{37}/g),
  key("nvidia-key", "nvapi-", () => /nvapi-[\w-]{60,80}/g),
  key("langsmith-key", "lsv2_", () => /lsv2_[ps][tk]_[a-f0-9]{32}_[a-f0-9]{10}/g),
  key("pinecone-key", "pcsk_", () => /pcsk_[A-Za-z0-9_]{60,80}/g),
];

const messaging: SecretRule[] = [
  key(
    "slack-token",
    "xox",
    () =>
      /xox[abceoprs](?:\.xox[bp])?-(?:\d{8,14}-){1,3}[A-Za-z0-9]{16,64}|xoxd-[\w%+/=-]{40,400}|xoxe(?:\.xox[bp])?-\d-[A-Za-z0-9]{100,200}/g,
  ),
  key("slack-app-token", "xapp-", () => /xapp-\d-[A-Z0-9]{8,14}-\d{8,14}-[A-Za-z0-9]{32,80}/g),
  key(
    "slack-webhook",
    "hooks.slack.com",
    () => /hooks\.slack\.com\/(?:services|workflows|triggers)\/(?<secret>[A-Za-z0-9+/]{30,80})/dg,
  ),
  key(
    "discord-token",
    ".",
    () => /(?<![\w.-](?<!\\[nrt]))[MNO][A-Za-z0-9_-]{23,25}\.[\w-]{6}\.[\w-]{27,38}(?![\w-])/g,
    {
      minEntropy: 4,
      judge: "random",
    },
  ),
  key(
    "discord-webhook",
    "/api/webhooks/",
    () => /discord(?:app)?\.com\/api\/webhooks\/\d{16,20}\/(?<secret>[\w-]{60,80})/dg,
  ),
  key("teams-webhook", "webhook.office.com", () => /webhook\.office\.com\/webhookb2\/(?<secret>[\w@/-]{60,240})/dg),
  key("telegram-token", ":aa", () => /(?:\bbot)?(?<secret>\d{8,10}:AA[\w-]{33})(?![\w-])/dg),
  key("twilio-key", "sk", () => /SK[0-9a-f]{32}/g),
  key("sendgrid-key", "sg.", () => /SG\.[\w-]{16,32}\.[\w-]{32,64}/g),
  key("mailgun-key", "key- mailgun", () => /key-[0-9a-f]{32}|[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}(?!-)/g, {
    isFar: true,
  }),
  key("mailchimp-key", "-us", () => /[0-9a-f]{32}-us\d{1,2}/g),
  key("brevo-key", "xkeysib-", () => /xkeysib-[a-f0-9]{64}-[A-Za-z0-9]{16}/g),
  key("facebook-token", "eaa |", () => /EAA[A-Z][A-Za-z0-9]{90,400}|\d{15,16}\|[\w-]{27}/g, { minEntropy: 3.5 }),
];

const business: SecretRule[] = [
  key(
    "stripe-key",
    "sk_live_ sk_test_ rk_live_ rk_test_ whsec_",
    () => /[sr]k_(?:live|test)_[A-Za-z0-9]{16,128}|whsec_[A-Za-z0-9+/]{32,64}/g,
  ),
  key("square-token", "sq0 eaaa", () => /sq0[a-z]{3}-[\w-]{22,50}|EAAA[\w-]{60}/g),
  key("shopify-token", "shp", () => /shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}/g),
  key("shippo-token", "shippo_", () => /shippo_(?:live|test)_[a-f0-9]{40}/g),
  key("easypost-key", "ezak eztk", () => /EZ[AT]K[A-Za-z0-9]{54}/g),
  key("flutterwave-key", "flwseck", () => /FLWSECK(?:_TEST)?-[a-h0-9]{32}(?:-X)?/gi),
  key("airtable-token", "pat", () => /pat[A-Za-z0-9]{14}\.[a-f0-9]{64}/g),
  key("linear-key", "lin_", () => /lin_(?:api|oauth)_[A-Za-z0-9]{40,64}/g),
  key("notion-token", "ntn_ secret_", () => /ntn_\d{11}[A-Za-z0-9]{35}|secret_[A-Za-z0-9]{43}/g, { judge: "random" }),
  key("figma-token", "figd_", () => /figd_[\w-]{40}/g),
  key("typeform-token", "tfp_", () => /tfp_[\w.-]{40,80}/g),
  key("contentful-token", "cfpat-", () => /CFPAT-[\w-]{43}/g),
  key("readme-key", "rdme_", () => /rdme_[a-z0-9]{70}/g),
  key("intra42-secret", "s-s4t2", () => /s-s4t2(?:ud|af)-[a-f0-9]{64}/g),
  key("mapbox-token", "sk.eyj", () => /sk\.eyJ[\w-]{40,200}\.[\w-]{20,40}/g),
];

const observability: SecretRule[] = [
  key("sentry-dsn", "://", () => /https?:\/\/(?<secret>[a-f0-9]{32}(?::[a-f0-9]{32})?)@[\w.-]{3,120}\/\d{1,20}/dg),
  key("sentry-token", "sntrys_ sntryu_", () => /sntrys_eyJ[\w+/=-]{80,400}|sntryu_[a-f0-9]{64}/g),
  key(
    "grafana-token",
    "glsa_ glc_ eyjrijoi",
    () => /glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}|glc_[A-Za-z0-9+/]{32,400}={0,2}|eyJrIjoi[A-Za-z0-9]{60,400}={0,2}/g,
    {
      minEntropy: 3.5,
      judge: "random",
    },
  ),
  key(
    "new-relic-key",
    "nrak- nrii- nrra- nrjs-",
    () => /NR(?:AK-[A-Z0-9]{27}|II-[\w-]{32}|RA-[a-f0-9]{42}|JS-[a-f0-9]{19})/g,
  ),
  key("databricks-token", "dapi", () => /dapi[a-f0-9]{32}(?:-\d)?/g),
  key("dynatrace-token", "dt0", () => /dt0[a-z]\d{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}/g),
  key("clickhouse-key", "4b1d", () => /4b1d[A-Za-z0-9]{38}/g, { minEntropy: 3.5 }),
  key("posthog-key", "phx_", () => /phx_[A-Za-z0-9]{40,50}/g),
];

export const providerRules: readonly SecretRule[] = [
  ...cloud,
  ...code,
  ...models,
  ...messaging,
  ...business,
  ...observability,
];

/** Keys of services that became common in the last years, and of some that name them by a prefix only now. */
export const recentRules: readonly SecretRule[] = [
  key("google-auth-key", "aq.a", () => /AQ\.A[\w-]{45,90}/g, { minEntropy: 3.5 }),
  key("firebase-server-key", ":apa91", () => /AAAA[\w-]{7}:APA91[\w-]{100,180}/g),
  key("cerebras-key", "csk-", () => /csk-[a-z0-9]{48}/g, { judge: "random" }),
  key("together-key", "tgp_v1_", () => /tgp_v1_[\w-]{43}/g),
  key("fireworks-key", "fw_", () => /fw_[A-Za-z0-9]{22,24}/g, { minEntropy: 3.5, judge: "random" }),
  key("elevenlabs-key", "sk_", () => /sk_[a-f0-9]{48}/g),
  key("deepl-key", ":fx", () => /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}:fx/g),
  key("cursor-key", "key_", () => /key_[a-f0-9]{64}/g),
  key("tavily-key", "tvly-", () => /tvly-(?:dev-|prod-)?[A-Za-z0-9]{28,40}/g),
  key("firecrawl-key", "fc-", () => /fc-[a-f0-9]{32}/g),
  key("e2b-key", "e2b_", () => /e2b_[a-f0-9]{40}/g),
  key("langfuse-key", "sk-lf-", () => /sk-lf-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g),
  key("wandb-key", "wandb_v1_", () => /wandb_v1_[\w-]{40,80}/g),
  key("browserbase-key", "bb_live_", () => /bb_live_[\w-]{24,30}/g),
  key("resend-key", "re_", () => /re_[A-Za-z0-9]{8}_[A-Za-z0-9]{22,26}/g, { minEntropy: 3.5, judge: "random" }),
  key(
    "vercel-token",
    "vercel_blob_rw_ vcp_ vci_ vca_ vcr_ vck_",
    () => /vercel_blob_rw_\w{30,60}|vc[pcairk]_[A-Za-z0-9]{50,70}/g,
  ),
  key("neon-key", "napi_ npg_", () => /napi_[a-z0-9]{40,80}|npg_[A-Za-z0-9]{12,24}/g, { judge: "random" }),
  key("atlas-secret", "mdb_sa_sk_", () => /mdb_sa_sk_[\w-]{40}/g),
  key("inngest-key", "signkey-", () => /signkey-[a-z]{2,12}-[a-f0-9]{48,80}/g),
  key("trigger-key", "tr_dev_ tr_prod_ tr_stg_ tr_preview_", () => /tr_(?:dev|prod|stg|preview)_[A-Za-z0-9]{18,32}/g, {
    judge: "random",
  }),
  key("axiom-token", "xaat- xapt-", () => /xa[ap]t-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g),
  key("honeycomb-key", "hcaik_ hcxik_ hcamk_ hcxmk_", () => /hc[ax][im]k_[a-z0-9]{32,64}/g),
  key("sonar-token", "squ_ sqp_ sqa_", () => /sq[upa]_[a-f0-9]{40}/g),
  key("snyk-token", "snyk_", () => /snyk_(?:uat|sat)\.[a-f0-9]{8}\.[\w-]{40,400}\.[\w-]{20,200}/g),
  key("harness-token", "pat. sat.", () => /[ps]at\.[A-Za-z0-9_-]{22}\.[0-9a-f]{24}\.[A-Za-z0-9]{20}/g),
  key("dropbox-token", "sl.", () => /(?<![\w.-])sl\.(?:u\.)?[\w-]{100,1400}/g, { minEntropy: 3.5 }),
  key(
    "plaid-token",
    "access-",
    () => /access-(?:sandbox|development|production)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g,
  ),
  key("duffel-token", "duffel_", () => /duffel_(?:test|live)_[\w=-]{43}/g),
  key("frameio-token", "fio-u-", () => /fio-u-[\w=-]{64}/g),
  key("scalingo-token", "tk-us-", () => /tk-us-[\w-]{48}/g),
  key("yandex-key", "aqvn", () => /AQVN[\w-]{35,38}/g, { judge: "random" }),
  key("hubspot-token", "pat-", () => /pat-[a-z]{2}\d-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi),
  key("render-key", "rnd_", () => /rnd_[A-Za-z0-9]{20,40}/g, { judge: "random" }),
  key("jina-key", "jina_", () => /jina_[\w-]{40,70}/g, { judge: "random" }),
  key("voyage-key", "pa-", () => /(?<!\w)pa-[\w-]{43}(?![\w-])/g, { minEntropy: 4, judge: "random" }),
  key("modal-token", "ak- as-", () => /(?<![\w-])a[ks]-[A-Za-z0-9]{22}(?![\w-])/g, {
    minEntropy: 3.5,
    judge: "random",
  }),
  key("composio-key", "ak_", () => /ak_[\w-]{20}(?![\w-])/g, { minEntropy: 3.5, judge: "random" }),
  key("asana-token", "0/ 1/ 2/", () => /(?<![\w/.])[012]\/(?:\d{15,17}\/)?(?:\d{15,17}:)?[0-9a-f]{32}(?!\w)/g),
  key("upcloud-token", "ucat_", () => /ucat_[A-Z0-9]{26}/g),
  key("depot-token", "depot_", () => /depot_(?:project|org|user)_[a-f0-9]{64}/g),
  key("deno-token", "ddp_ ddo_ ddw_", () => /dd[pow]_[A-Za-z0-9]{36,40}/g),
  key("helicone-key", "-helicone-", () => /[sp]k-helicone-[a-z0-9]{7}(?:-[a-z0-9]{7}){3}/g),
  key("context7-key", "ctx7sk-", () => /ctx7sk-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g),
  key("anyscale-secret", "esecret_", () => /esecret_[a-z0-9]{20,32}/g, { judge: "random" }),
  key("crates-token", "cio", () => /cio[A-Za-z0-9]{32}/g, { minEntropy: 4, judge: "random" }),
  key("nuget-key", "oy2", () => /oy2[a-z2-7]{43}/g),
  key("clickup-token", "pk_", () => /pk_\d{5,10}_[A-Z0-9]{32}/g),
  key("klaviyo-key", "pk_", () => /pk_(?:[A-Za-z0-9]{6}_)?[a-f0-9]{34}/g),
  key("trello-token", "atta", () => /ATTA[a-f0-9]{64,72}/g),
  key("razorpay-key", "rzp_", () => /rzp_(?:live|test)_[A-Za-z0-9]{14}/g, { judge: "random" }),
  key("stripe-client-secret", "_secret_", () => /(?:pi|seti|src|cs)_\w{10,80}_secret_[A-Za-z0-9]{16,40}/g),
  key("secret-uri", "secret-token:", () => /secret-token:[\w.~%-]{12,200}/g),
  key("aiven-password", "avns_", () => /AVNS_[\w-]{15,24}(?![\w-])/g, { minEntropy: 3.5, judge: "random" }),
  key("cockroach-key", "ccdb1_", () => /CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}/g),
  key("fauna-secret", "fna", () => /fnA[A-Z][\w-]{36}(?![\w-])/g, { minEntropy: 4, judge: "random" }),
  key("launchdarkly-key", "api- sdk-", () => /(?:api|sdk)-[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/g),
  key("rootly-token", "rootly_", () => /rootly_[a-f0-9]{64}/g),
  key("runscope-token", "slk_", () => /slk_[a-f0-9]{64}/g),
  key("checkly-key", "cu_", () => /cu_[a-f0-9]{32}/g),
  key("daytona-key", "dtn_", () => /dtn_[a-f0-9]{64}/g),
  key("chromatic-token", "chpt_", () => /chpt_[a-z0-9]{12,40}/g, { judge: "random" }),
  key("bannerbear-key", "bb_pr_ bb_ma_", () => /bb_(?:pr|ma)_[a-f0-9]{30}/g),
  key("quicknode-key", "qn_", () => /QN_[a-f0-9]{32}/g),
  key("nostr-key", "nsec1", () => /nsec1[a-z0-9]{58}/g),
  key("adafruit-key", "aio_", () => /aio_[A-Za-z0-9]{28}/g, { judge: "random" }),
  key("cartesia-key", "sk_car_", () => /sk_car_[\w-]{20,40}/g),
  key("brevo-smtp-key", "xsmtpsib-", () => /xsmtpsib-[a-f0-9]{64}-[A-Za-z0-9]{16}/g),
  key("zuplo-key", "zpka_", () => /zpka_[a-z0-9]{32}_[a-z0-9]{8}/g),
  key("salesforce-token", "00d", () => /00D[A-Za-z0-9]{12,15}![\w.]{80,120}/g),
  key("zoho-token", "1000.", () => /1000\.[a-f0-9]{32}\.[a-f0-9]{32}/g),
  key(
    "fal-key",
    ":",
    () =>
      /:(?=[a-f0-9]{32})(?<=(?<![\w-])(?<opening>[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}):)[a-f0-9]{32}(?![\w-])/dg,
  ),
  key("courier-key", "pk_prod_ pk_test_", () => /pk_(?:prod|test)_[A-Z0-9]{28}/g, { judge: "random" }),
  key("adyen-key", "aqe", () => /AQE[A-Za-z0-9]{30,60}-[A-Za-z0-9+/]{30,60}=-[\w!-]{10,40}/g),
  key("tinybird-token", "p.eyj", () => /p\.eyJ[\w-]{40,400}\.[\w-]{40,60}/g),
  key("adobe-secret", "p8e-", () => /p8e-[A-Za-z0-9_-]{32}/g),
  key("defined-networking-key", "dnkey-", () => /dnkey-[a-z0-9=_-]{26}-[a-z0-9=_-]{52}/g),
  key("endor-key", "endr+", () => /endr\+[A-Za-z0-9-]{16}/g),
  key("maxmind-key", "_mmk", () => /[A-Za-z0-9]{6}_[A-Za-z0-9]{29}_mmk/g),
  key("settlemint-token", "sm_aat_ sm_pat_ sm_sat_", () => /sm_[aps]at_[A-Za-z0-9]{16}/g),
  key("localstack-token", "ls-", () => /ls-[A-Za-z0-9]{8}-(?:[A-Za-z0-9]{4}-){3}[A-Za-z0-9]{12}/g, { judge: "random" }),
  key("ngrok-token", "ngrok", () => /[A-Za-z0-9]{27}_[A-Za-z0-9]{21}/g, {
    minEntropy: 4,
    judge: "random",
    isFar: true,
  }),
  key("lob-key", "live_ test_", () => /(?<!\w)(?:live|test)_[a-f0-9]{35}/g),
  key("retool-token", "retool_", () => /retool_[a-z0-9]{20,40}/g, { judge: "random" }),
  // Credentials of a private source of packages, by its host.
  key(
    "bundler-credentials",
    "bundle_",
    () => /\bBUNDLE_\w{3,80}\\?["']?(?:=|: {0,4})\\?["']?(?<secret>[\w.~+-]{4,80}:[\w.~+-]{4,200})/dg,
    {
      minEntropy: 2,
    },
  ),
];
