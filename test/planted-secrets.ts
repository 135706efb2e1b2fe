/** Secrets to plant: made anew from a seed and put together from pieces, so that no scanner takes this file for a leak. */
import { createHash } from "node:crypto";

export interface PlantedSecret {
  readonly kind: string;
  readonly secret: string;
  /** A line in which a person or program would write it; without one it stands alone. */
  readonly line: (secret: string) => string;
}

const ALPHANUMERIC = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const HEX = "0123456789abcdef";

/** At least thirty kinds, with a shape of their own or told only by the words around them. */
export function plantedSecrets(seed: string): readonly PlantedSecret[] {
  let count = 0;
  const random = (length: number, alphabet = ALPHANUMERIC): string => {
    let text = "";
    while (text.length < length) {
      const bytes = createHash("sha256").update(`${seed}/${count++}`).digest();
      for (const byte of bytes) if (text.length < length) text += alphabet[byte % alphabet.length];
    }
    return text;
  };
  const hex = (length: number): string => random(length, HEX);
  const capitals = (length: number): string => random(length, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567");
  const base64 = (length: number): string => random(length, `${ALPHANUMERIC}+/`);
  const uuid = (): string => [8, 4, 4, 4, 12].map((length) => hex(length)).join("-");
  const json = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
  const pem = (name: string): string =>
    [`-----BEGIN ${name}-----`, base64(64), base64(64), base64(64), base64(27), `-----END ${name}-----`].join(
      "\n",
    );
  const alone = (secret: string): string => `Use ${secret} for now.`;
  const under =
    (name: string, sign = "=") =>
    (secret: string): string =>
      `${name}${sign}${secret}`;
  return [
    { kind: "GitHub", secret: `gh${"p_"}${random(36)}`, line: alone },
    { kind: "GitHub fine-grained", secret: `github_${"pat_"}${random(22)}_${random(59)}`, line: alone },
    { kind: "GitLab", secret: `gl${"pat-"}${random(20)}`, line: alone },
    { kind: "npm", secret: `np${"m_"}${random(36)}`, line: alone },
    { kind: "PyPI", secret: `py${"pi-"}AgEIcHlwaS5vcmc${random(70)}`, line: alone },
    {
      kind: "Slack",
      secret: `xo${"xb-"}${random(12, "123456789")}-${random(12, "123456789")}-${random(24)}`,
      line: alone,
    },
    { kind: "Stripe", secret: `sk_${"live_"}${random(24)}`, line: alone },
    { kind: "SendGrid", secret: `S${"G."}${random(22)}.${random(43)}`, line: alone },
    { kind: "Twilio", secret: `S${"K"}${hex(32)}`, line: alone },
    { kind: "OpenAI", secret: `sk-${"proj-"}${random(48)}`, line: alone },
    { kind: "Anthropic", secret: `sk-${"ant-"}api03-${random(93)}AA`, line: alone },
    { kind: "Google API", secret: `AI${"za"}${random(35)}`, line: alone },
    { kind: "AWS id", secret: `AK${"IA"}${capitals(16)}`, line: alone },
    { kind: "AWS secret", secret: base64(40), line: under("aws_secret_access_key", " = ") },
    { kind: "Azure storage", secret: `${base64(86)}==`, line: under("AccountName=store;AccountKey") },
    { kind: "Hugging Face", secret: `h${"f_"}${random(34)}`, line: alone },
    { kind: "DigitalOcean", secret: `dop_${"v1_"}${hex(64)}`, line: alone },
    { kind: "Cloudflare", secret: random(40), line: under("CLOUDFLARE_API_TOKEN") },
    { kind: "Datadog", secret: hex(32), line: under("export DD_API_KEY") },
    { kind: "Heroku", secret: uuid(), line: under("HEROKU_API_KEY", ": ") },
    { kind: "Vault", secret: `hv${"s."}${random(90)}`, line: alone },
    { kind: "Telegram", secret: `${random(10, "123456789")}:A${"A"}${random(33)}`, line: alone },
    { kind: "Discord", secret: `MT${random(24)}.${random(6)}.${random(38)}`, line: alone },
    { kind: "Shopify", secret: `shp${"at_"}${hex(32)}`, line: alone },
    {
      kind: "JWT",
      secret: `${json({ alg: "HS256", typ: "JWT" })}.${json({ sub: random(12), name: random(9), iat: 1_516_239_022 })}.${random(43)}`,
      line: alone,
    },
    { kind: "age", secret: `AGE-${"SECRET-KEY-1"}${capitals(58)}`, line: alone },
    { kind: "RSA key", secret: pem(`RSA ${"PRIVATE"} KEY`), line: alone },
    { kind: "OpenSSH key", secret: pem(`OPENSSH ${"PRIVATE"} KEY`), line: alone },
    { kind: "PGP key", secret: pem(`PGP ${"PRIVATE"} KEY BLOCK`), line: alone },
    {
      kind: "database password",
      secret: `${random(7)}7a!${random(9)}`,
      line: (secret) => `DB_PASSWORD='${secret}'`,
    },
    {
      kind: "connection string",
      secret: `${random(10)}4k${random(8)}`,
      line: (secret) => `postgres://app:${secret}@db.internal:5432/app`,
    },
    {
      kind: "bearer",
      secret: random(40),
      line: (secret) => `curl -H "Authorization: Bearer ${secret}" https://api.internal`,
    },
    { kind: "header", secret: random(32), line: under("X-Api-Key", ": ") },
    { kind: "flag", secret: random(24), line: (secret) => `deploy --token ${secret} --yes` },
    {
      kind: ".netrc",
      secret: `${random(12)}3x`,
      line: (secret) => `machine git.internal login app password ${secret}`,
    },
    { kind: "client secret", secret: random(32), line: under("client_secret", ": ") },
    { kind: "unknown provider", secret: `acme_${"live_"}${random(32)}`, line: alone },
    { kind: "spoken of", secret: random(28), line: (secret) => `the api key is ${secret}, keep it` },
  ];
}
