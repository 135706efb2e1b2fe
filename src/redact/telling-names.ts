/** Names that say secret, such as `api_key`, `X-Auth-Token` or `dbPassword`, and which values under them are none. */
import { isPlaceholder, isVaried } from "./varied.ts";

/** Provider by the words of the name, where the value alone does not tell. */
const NAME_KINDS: readonly (readonly [kind: string, name: RegExp])[] = [
  ["aws-secret-key", /aws|secret_?access_?key/i],
  ["cloudflare", /cloudflare|(?:^| )cf_/i],
  ["datadog", /datadog|(?:^| )dd_/i],
  ["heroku", /heroku/i],
  ["password", /pass|pwd|psk|contrase|identified/i],
  ["authorization", /^auth(?:orization)?$/i],
  ["connection-string", /conn|dsn/i],
];

export function kindOfName(name: string): string {
  return NAME_KINDS.find(([, pattern]) => pattern.test(name))?.[0] ?? "secret";
}

const QUALIFIER =
  "api|access|secret|private|auth|account|encryption|signing|master|app|application|service|license|shared|storage|session|ssh|webhook|hmac|rsa|deploy|subscription|admin|root|bot|jwt|user|client|server|publishable|consumer|storage|crypt|cipher|aes|vault";
const PASSWORD = "pass(?:word|wd|phrase|code|wort|e)?|contrase_?n?a|psk|pwd|pw|identified(?:_with_\\w+)?_by";
/** One as good as says that a value follows; the other is as often the name of a thing that is no secret. */
const SURE = `client_?secret|secret_?key|(?:${QUALIFIER})_?key|authorization|conn(?:ection)?_?str(?:ing)?|access_?token|auth_?token|refresh_?token|id_?token|bearer_?token|api_?token|bot_?token|personal_?access_?token|mnemonic|seed_?phrase|recovery_?(?:phrase|code)|dsn|credential`;
const LOOSE = "secret|token|auth|bearer|jwt|pat|cookie|sas|otp";
const AFTER =
  "(?:s|es)?(?:_?(?:\\d{1,3}|value|val|b64|base64|hash|prod|production|dev|staging|live|test|primary|secondary|current|new|old|data|plain|text|plaintext|raw|enc|encrypted|string|str|default|confirm|confirmation))*$";

const NAMES: readonly (readonly [strength: NameStrength, name: RegExp])[] = [
  [
    "password",
    new RegExp(`(?:^|_|password|passwd)(?:${PASSWORD})${AFTER}|(?:password|passwd|passphrase)${AFTER}`),
  ],
  ["sure", new RegExp(`(?:^|_)(?:${SURE})${AFTER}|(?:apikey|secretkey|accesskey|privatekey)${AFTER}`)],
  ["loose", new RegExp(`(?:^|_)(?:${LOOSE})${AFTER}|(?:secret|token)${AFTER}`)],
];

export type NameStrength = "password" | "sure" | "loose";

/** `"dbPassword"` → `"password"`, `"client_secret"` → `"sure"`, `"token"` → `"loose"`, `"max_tokens"` → undefined */
export function strengthOfName(name: string): NameStrength | undefined {
  if (
    name.length > 80 ||
    !/pass|pw|psk|contrase|identified|secret|token|auth|key|cred|bearer|jwt|pat|cookie|sas|sig|otp|dsn|conn|mnemonic|seed|recovery/i.test(
      name,
    )
  )
    return undefined;
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replace(/[^A-Za-z0-9]+/g, "_")
    .toLowerCase();
  if (/(?:^|_)(?:max|min|num|total|count|n|input|output|prompt|completion|cached|used)_tokens?$/.test(words))
    return undefined;
  return (
    NAMES.find(([, pattern]) => pattern.test(words))?.[0] ??
    (/^[A-Z0-9_]+_KEY$/.test(name) ? "loose" : undefined)
  );
}

/** A path, an address without a password, a variable, a call: it says where the secret is. */
const REFERENCE =
  /^[~.]{0,2}[/\\]|^[A-Za-z]:\\|^[a-z][a-z0-9+.-]*:\/\/[^@]*$|^\$|^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$|^[A-Za-z_$][\w$]*(?:\??\.[A-Za-z_$][\w$]*)+$|[(){}]|^\[|^(?:env|file|arn|secret|vault|ssm|op|projects|user|node|text|line|col|word|name|id|type)[:/]|\.(?:[jt]sx?|py|go|rs|md|json|ya?ml|toml|txt|pem|key|crt|html?|css)$/;

/** Whether a whole value, such as a field of a JSON object, is the secret that its name speaks of. */
export function isSecretField(strength: NameStrength, value: string): boolean {
  if (value.length < 4 || value.length > 4_000 || isPlaceholder(value)) return false;
  const scheme = /^(?:Bearer|Basic|Token|ApiKey|Digest|SSWS|Bot|Negotiate) (?=\S{8,}$)/i.exec(value)?.[0];
  if (scheme !== undefined) return isSecretField(strength, value.slice(scheme.length));
  if (/\s/.test(value)) return isPhrase(value) && strength !== "loose";
  if (REFERENCE.test(value)) return false;
  if (strength === "password") return value.length >= 6 || /\d/.test(value);
  if (strength === "sure") return value.length >= 8 && (/[\d+/=]/.test(value) || value.length >= 16);
  return isVaried(value) && value.length >= 12;
}

/** The words of a wallet, a recovery sheet or a passphrase; a sentence about a password has little words and marks. */
export function isPhrase(value: string): boolean {
  if (/^(?:[a-z]{3,8} ){11,23}[a-z]{3,8}$/.test(value)) return true;
  return /^(?:[a-z]{3,9} ){3,7}[a-z]{3,9}$/.test(value) && !SENTENCE.test(value);
}

const SENTENCE =
  /\b(?:the|and|for|not|are|was|must|with|from|your|you|this|that|has|have|can|cannot|should|will|does|did|been|being|new|old|same|change|reset|enter|forgot|wrong|invalid|incorrect|missing|required|least|characters|letters|password|token|secret|key|user|field|value|string)\b/;
