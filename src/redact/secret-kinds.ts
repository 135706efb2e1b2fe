/** The kinds of secrets that have a shape of their own, as data: where to look, what to match, what to mask. */

import { firstCharacters } from "./first-characters.ts";

export interface SecretKind {
  readonly kind: string;
  /** How such a secret begins, as the source of an expression. */
  readonly opening: string;
  readonly opens: RegExp;
  /** Given where no opening is rare enough: a text without this sign is not looked at further. */
  readonly sign?: string;
  /**
   * Sticky, or global where there is a sign. A group named `secret`, at the end of the match, is what is masked; without it the whole match is. Every
   * pattern starts at most once in a run of token characters or is bounded, so that no text makes it slow.
   */
  readonly pattern: RegExp;
  /** Told from look-alikes by its varied characters. */
  readonly varied?: boolean;
  /** Of one length, so that what is on the next line is no part of it. */
  readonly fixed: boolean;
}

export const secretKinds: readonly SecretKind[] = [
  // Models
  token("anthropic", "sk-ant-", "[\\w-]{16,}"),
  token("openrouter", "sk-or-", "[\\w-]{20,}"),
  token("openai", "sk-(?:proj|svcacct|admin|None)-", "[\\w-]{16,}"),
  token("openai", "sk-", "[A-Za-z0-9]{40,64}"),
  { ...token("openai", "sk-", "(?!ant-|or-|proj-)[\\w-]{20,}"), varied: true },
  token("hugging-face", "(?:hf|api_org)_", "[A-Za-z0-9]{20,}"),
  token("groq", "gsk_", "[A-Za-z0-9]{20,}"),
  token("xai", "xai-", "[A-Za-z0-9]{40,}"),
  token("perplexity", "pplx-", "[A-Za-z0-9]{32,}"),
  token("replicate", "r8_", "[A-Za-z0-9]{30,}"),
  token("nvidia", "nvapi-", "[\\w-]{40,}"),
  token("langsmith", "lsv2_(?:pt|sk)_", "[0-9a-f]{32}_[0-9a-f]{10}"),
  token("pinecone", "pcsk_", "[A-Za-z0-9_]{40,}"),
  token("tavily", "tvly-", "[A-Za-z0-9-]{24,}"),
  // Clouds
  token("aws-access-key", "A(?:KIA|SIA|BIA|CCA)", "[A-Z0-9]{16}"),
  token("google-api-key", "AIza", "[\\w-]{35}"),
  token("google-oauth", "GOCSPX-", "[\\w-]{20,}"),
  token("google-oauth", "ya29\\.", "[\\w-]{20,}"),
  value("azure-storage-key", "(?:AccountKey|SharedAccessKey)=", "[A-Za-z0-9+/]{40,120}={0,2}"),
  value("azure-sas", "sig=", "[A-Za-z0-9%+/]{40,120}={0,2}"),
  token("azure-client-secret", "[\\w~.]{3}[78]Q~", "[\\w~.-]{31,34}", "Q~"),
  token("cloudflare", "v1\\.0-", "[0-9a-f]{24}-[0-9a-f]{146}"),
  token("cloudflare", "cf(?:ut|at|k)_", "[\\w-]{30,}"),
  token("digitalocean", "do[opr]_v1_", "[0-9a-f]{64}"),
  token("heroku", "HRKU-", "[\\w-]{30,}"),
  token("alibaba", "LTAI", "[A-Za-z0-9]{20,24}"),
  token("databricks", "dapi", "[0-9a-fA-F]{32}(?:-\\d)?"),
  token("planetscale", "pscale_(?:tkn|pw|oauth)_", "[\\w.-]{30,}"),
  token("supabase", "sb(?:p|_secret)_", "[\\w-]{20,}"),
  token("vercel", "vc[piark]_", "[A-Za-z0-9]{20,60}"),
  token("netlify", "nfp_", "[A-Za-z0-9]{32,}"),
  token("tailscale", "tskey-[a-z]{2,20}-", "[\\w-]{16,}"),
  token("openshift", "sha256~", "[\\w-]{43}"),
  token("dynatrace", "dt0[a-z]\\d\\d\\.", "[A-Z2-7]{24}\\.[A-Z2-7]{64}"),
  token("azure-devops", "[A-Za-z0-9]{76}AZDO", "[A-Za-z0-9]{4}", "AZDO"),
  token("fly", "FlyV1 fm\\d_", "(?:[A-Za-z0-9+/=_-]|,(?=[a-z])){40,}"),
  // Code and packages
  token("github", "ghs_\\d{1,20}_", "eyJ[\\w-]{8,}\\.[\\w-]{8,}\\.[\\w-]{8,}"),
  token("github", "gh[pousr]_", "[A-Za-z0-9_]{30,255}"),
  token("github", "github_pat_", "[A-Za-z0-9_]{40,255}"),
  token("gitlab", "gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-", "[\\w.-]{20,}"),
  token("npm", "npm_", "[A-Za-z0-9_]{36}"),
  value("npm", "_(?:authToken|auth|password)=", "[^\\s\"'$[]{8,300}"),
  token("pypi", "pypi-", "[\\w-]{32,}"),
  token("rubygems", "rubygems_", "[0-9a-f]{48}"),
  token("docker-hub", "dckr_[po]at_", "[\\w-]{27,}"),
  token("atlassian", "AT(?:ATT3|CTT3|BB)", "[\\w=-]{24,}"),
  token("linear", "lin_api_", "[A-Za-z0-9_]{32,}"),
  token("notion", "ntn_", "[A-Za-z0-9]{40,}"),
  token("airtable", "pat[A-Za-z0-9]{14}\\.", "[0-9a-f]{64}"),
  token("hubspot", "pat-(?:na|eu|ap)\\d-", "[0-9a-f-]{36}"),
  token("contentful", "CFPAT-", "[\\w-]{43}"),
  token("artifactory", "AKCp[0-9A-Za-z]", "[A-Za-z0-9]{60,}"),
  token("sonar", "sq[uap]_", "[0-9a-f]{40}"),
  token("sourcegraph", "sgp_(?:[0-9a-f]{16}_|local_)?", "[0-9a-f]{40}"),
  token("dropbox", "sl\\.(?:u\\.)?[\\w-]{8}", "[\\w-]{60,}"),
  token("figma", "figd_", "[\\w-]{36,}"),
  token("postman", "PMAK-", "[0-9a-f]{24}-[0-9a-f]{34}"),
  // Messages and mail
  token("slack", "xox[abeoprs]-", "\\d{9,14}-\\d{9,14}-(?:\\d{9,14}-)?[A-Za-z0-9]{20,40}"),
  token("slack", "(?:xox[abeoprs]|xapp)-", "[A-Za-z0-9-]{10,}"),
  value("slack-webhook", "hooks\\.slack\\.com/(?:services|workflows|triggers)/", "[\\w/-]{20,200}"),
  value("discord-webhook", "discord(?:app)?\\.com/api/webhooks/\\d{10,25}/", "[\\w-]{40,100}"),
  token("discord", "[MNO][DTjz][A-Za-z0-9_-]{22,26}\\.", "[A-Za-z0-9_-]{6}\\.[A-Za-z0-9_-]{27,40}"),
  { ...token("telegram", "\\d{8,10}:AA", "[\\w-]{32,34}", ":AA"), pattern: telegram() },
  value("teams-webhook", "webhook\\.office\\.com/webhookb2/", "[\\w@/-]{60,300}"),
  token("twilio", "(?:SK|AC)[0-9a-f]{8}", "[0-9a-f]{24}"),
  token("sendgrid", "SG\\.", "[\\w-]{16,32}\\.[\\w-]{32,64}"),
  token("mailgun", "key-[0-9a-f]{8}", "[0-9a-f]{24}"),
  token("mailchimp", "[0-9a-f]{32}-us", "\\d{1,2}", "-us"),
  token("brevo", "xkeysib-", "[0-9a-f]{64}-[A-Za-z0-9]{16}"),
  // Money and shops
  token("stripe", "[srp]k_(?:live|test)_", "[A-Za-z0-9]{16,}"),
  token("stripe", "whsec_", "[A-Za-z0-9+/=]{24,}"),
  token("square", "sq0(?:atp|csp|idp)-", "[\\w-]{22,}"),
  token("paypal", "access_token\\$(?:production|sandbox)\\$", "[0-9a-z]{16}\\$[0-9a-f]{32}"),
  token("plaid", "access-(?:sandbox|development|production)-", "[0-9a-f-]{36}"),
  token("facebook", "EAA[A-Za-z0-9]{3}", "[A-Za-z0-9]{60,}"),
  token("shopify", "shp(?:at|ca|pa|ss)_", "[A-Za-z0-9]{32,64}"),
  // Operations
  token("grafana", "glsa_", "[A-Za-z0-9]{32}_[0-9a-fA-F]{8}"),
  token("grafana", "glc_", "[A-Za-z0-9+/=]{32,}"),
  token("new-relic", "NR(?:AK|JS)-", "[A-Za-z0-9]{19,27}"),
  token("sentry", "sntry[su]_", "[A-Za-z0-9+/=_]{40,}"),
  token("vault", "hv[sbr]\\.", "[\\w-]{24,}"),
  token("terraform", "[A-Za-z0-9]{14}\\.atlasv1\\.", "[\\w-]{60,70}", ".atlasv1."),
  token("doppler", "dp\\.(?:pt|st|ct|sa|scim|audit)\\.", "[\\w.]{40,}"),
  token("pulumi", "pul-", "[0-9a-f]{40}"),
  token("one-password", "ops_ey", "[A-Za-z0-9+/=_-]{80,}"),
  token("age", "AGE-SECRET-KEY-1", "[A-Z0-9]{58}"),
  // Forms of any provider
  token("jwt", "eyJ", "[\\w-]{8,}\\.eyJ[\\w-]{8,}(?:\\.[\\w-]*)?"),
  { ...value("authorization", "(?:[Bb]earer|BEARER)[ \\t]{1,4}", "[\\w.~+/-]{16,4000}={0,2}"), varied: true },
  value(
    "authorization",
    "(?:[Aa]uthorization|AUTHORIZATION)[\"']?[ \\t]{0,4}[:=][ \\t]{0,4}[\"']?(?:[Bb]asic|[Tt]oken|[Aa]pi[Kk]ey)[ \\t]{1,4}",
    "[\\w.~+/-]{8,4000}={0,2}",
  ),
];

/** Those with a sign, and those that one pass over the text finds by their openings. */
export const signedKinds: readonly SecretKind[] = secretKinds.filter(({ sign }) => sign !== undefined);
export const openedKinds: readonly SecretKind[] = secretKinds.filter(({ sign }) => sign === undefined);

const anyOpening = `\\b(?:${[...new Set(openedKinds.map(({ opening }) => opening))].join("|")})`;
/** Whether one of the shapes may begin at a place. */
export const openingHere = new RegExp(anyOpening, "y");
/** Every place of a short text where one may begin. */
export const openingAnywhere = new RegExp(anyOpening, "g");
/** The first three characters of each. */
export const openingStarts: readonly string[] = [
  ...new Set(openedKinds.flatMap(({ opening }) => firstCharacters(opening, 3))),
];

/** The same of each sign. */
export const signStarts: readonly string[] = [".at", "-us", "azd", ":aa", "8q~"];

/** A secret that is alone: no token character directly before or after it. */
function token(kind: string, opening: string, rest: string, sign?: string): SecretKind {
  const pattern = `(?<![A-Za-z0-9_-])${opening}${rest}(?![A-Za-z0-9_-])`;
  return {
    kind,
    opening,
    opens: new RegExp(opening, "y"),
    pattern: new RegExp(pattern, sign === undefined ? "y" : "g"),
    fixed: /\{\d+\}$/.test(rest),
    ...(sign === undefined ? {} : { sign }),
  };
}

/** A secret after words that stay. */
function value(kind: string, opening: string, secret: string): SecretKind {
  const pattern = new RegExp(`\\b${opening}(?<secret>${secret})`, "y");
  return { kind, opening, opens: new RegExp(opening, "y"), pattern, fixed: false };
}

/** In the address of its own service the word `bot` touches it. */
function telegram(): RegExp {
  return /(?<![A-Za-z0-9_-])(?:bot)?(?<secret>\d{8,10}:AA[\w-]{32,34})(?![A-Za-z0-9_-])/g;
}
