import fc from "fast-check";
import { expect, test } from "vitest";
import { redactSecrets } from "./redact-secrets.ts";
import { secretKinds } from "./secret-kinds.ts";

/** Random-looking characters; samples are put together here so that no scanner takes this file for a leak. */
function random(length: number, alphabet = "aB3dE5fG7hJ9kL1mN2pQ4rS6tU8vW0xYz"): string {
  let state = length + 2_463_534_242;
  return Array.from({ length }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return alphabet[(state >>> 0) % alphabet.length];
  }).join("");
}

const hex = (length: number): string => random(length, "0123456789abcdef");
const capitals = (length: number): string => random(length, "ABCDEFGH23456789");
const pem = (name: string, line = "\n"): string =>
  [`-----BEGIN ${name}-----`, random(64), random(64), random(20), `-----END ${name}-----`].join(line);

const samples: readonly (readonly [kind: string, secret: string])[] = [
  ["anthropic", `sk-ant-api03-${random(40)}`],
  ["openrouter", `sk-or-v1-${hex(64)}`],
  ["openai", `sk-proj-${random(48)}`],
  ["openai", `sk-${random(48)}`],
  ["hugging-face", `hf_${random(34)}`],
  ["groq", `gsk_${random(52)}`],
  ["xai", `xai-${random(80)}`],
  ["perplexity", `pplx-${random(48)}`],
  ["replicate", `r8_${random(37)}`],
  ["nvidia", `nvapi-${random(64)}`],
  ["langsmith", `lsv2_pt_${hex(32)}_${hex(10)}`],
  ["pinecone", `pcsk_${random(50)}`],
  ["tavily", `tvly-${random(32)}`],
  ["netlify", `nfp_${random(36)}`],
  ["vercel", `vcp_${random(56)}`],
  ["tailscale", `tskey-auth-${random(12)}CNTRL-${random(32)}`],
  ["openshift", `sha256~${random(43)}`],
  ["dynatrace", `dt0c01.${random(24, "ABCDEFGHIJ234567")}.${random(64, "ABCDEFGHIJ234567")}`],
  ["azure-devops", `${random(76)}AZDO${random(4)}`],
  ["airtable", `pat${random(14)}.${hex(64)}`],
  ["hubspot", `pat-na1-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
  ["contentful", `CFPAT-${random(43)}`],
  ["artifactory", `AKCp8${random(68)}`],
  ["sonar", `squ_${hex(40)}`],
  ["sourcegraph", `sgp_${hex(16)}_${hex(40)}`],
  ["dropbox", `sl.${random(130)}`],
  ["paypal", `access_token$production$${random(16, "abcdef0123456789")}$${hex(32)}`],
  ["plaid", `access-sandbox-${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`],
  ["facebook", `EAA${random(100)}`],
  ["slack", `xoxb-${random(12, "123456789")}-${random(12, "123456789")}-${random(24)}`],
  ["aws-access-key", `AKIA${capitals(16)}`],
  ["google-api-key", `AIza${random(35)}`],
  ["google-oauth", `GOCSPX-${random(28)}`],
  ["google-oauth", `ya29.${random(60)}`],
  ["azure-client-secret", `abc8Q~${random(34)}`],
  ["cloudflare", `v1.0-${hex(24)}-${hex(146)}`],
  ["cloudflare", `cfut_${random(40)}`],
  ["digitalocean", `dop_v1_${hex(64)}`],
  ["heroku", `HRKU-${random(36)}`],
  ["alibaba", `LTAI${random(20)}`],
  ["databricks", `dapi${hex(32)}`],
  ["planetscale", `pscale_tkn_${random(43)}`],
  ["supabase", `sbp_${hex(40)}`],
  ["fly", `FlyV1 fm2_${random(60)}`],
  ["github", `ghp_${random(36)}`],
  ["github", `ghs_123456_eyJ${random(60)}.eyJ${random(90)}.${random(80)}`],
  ["github", `github_pat_${random(22)}_${random(59)}`],
  ["gitlab", `glpat-${random(20)}`],
  ["npm", `npm_${random(36)}`],
  ["pypi", `pypi-AgEIcHlwaS5vcmc${random(60)}`],
  ["rubygems", `rubygems_${hex(48)}`],
  ["docker-hub", `dckr_pat_${random(27)}`],
  ["atlassian", `ATATT3${random(180)}`],
  ["linear", `lin_api_${random(40)}`],
  ["notion", `ntn_${random(46)}`],
  ["figma", `figd_${random(40)}`],
  ["postman", `PMAK-${hex(24)}-${hex(34)}`],
  ["slack", `xoxb-${random(11, "123456789")}-${random(24)}`],
  ["discord", `MT${random(22)}.${random(6)}.${random(38)}`],
  ["token", `${random(24)}.${random(6)}.${random(38)}`],
  ["token", `acme_live_${random(32)}`],
  ["token", random(40)],
  ["telegram", `123456789:AA${random(33)}`],
  ["twilio", `SK${hex(32)}`],
  ["sendgrid", `SG.${random(22)}.${random(43)}`],
  ["mailgun", `key-${hex(32)}`],
  ["mailchimp", `${hex(32)}-us12`],
  ["brevo", `xkeysib-${hex(64)}-${random(16)}`],
  ["stripe", `sk_live_${random(24)}`],
  ["stripe", `whsec_${random(32)}`],
  ["square", `sq0atp-${random(22)}`],
  ["shopify", `shpat_${hex(32)}`],
  ["grafana", `glsa_${random(32)}_${hex(8)}`],
  ["grafana", `glc_${random(40)}`],
  ["new-relic", `NRAK-${random(27)}`],
  ["sentry", `sntrys_${random(60)}`],
  ["vault", `hvs.${random(40)}`],
  ["terraform", `${random(14)}.atlasv1.${random(66)}`],
  ["doppler", `dp.pt.${random(43)}`],
  ["pulumi", `pul-${hex(40)}`],
  ["one-password", `ops_ey${random(200)}`],
  ["age", `AGE-SECRET-KEY-1${capitals(58)}`],
  ["jwt", `eyJ${random(30)}.eyJ${random(60)}.${random(43)}`],
  ["private-key", pem("RSA PRIVATE KEY")],
  ["private-key", pem("OPENSSH PRIVATE KEY", "\\n")],
];

/** Before and after the secret stand words that stay. */
const inContext: readonly (readonly [kind: string, before: string, secret: string, after: string])[] = [
  ["azure-storage-key", "AccountName=a;AccountKey=", `${random(86)}==`, ";EndpointSuffix=core"],
  ["azure-sas", "https://a.blob.core/x?sv=1&sig=", random(44), "&se=2"],
  ["npm", "//npm.example.com/:_authToken=", random(30), "\n"],
  ["slack-webhook", "https://hooks.slack.com/services/", `T0000/B0000/${random(24)}`, " posts"],
  ["teams-webhook", "https://acme.webhook.office.com/webhookb2/", `${random(36)}@${random(36)}`, " posts"],
  ["discord-webhook", "https://discord.com/api/webhooks/123456789012345678/", random(68), ""],
  ["authorization", 'curl -H "Authorization: Bearer ', random(40), '" x'],
  ["authorization", "Authorization: Basic ", "dXNlcjpodW50ZXIy", "\nHost: x"],
  ["url-password", "postgres://admin:", "hunter2", "@db:5432/app"],
  ["url-password", "redis://:", "p4ss!word", "@cache"],
  ["password", "Server=db;Uid=app;Pwd=", "s3cr3t!Value", ";"],
  ["password", "DB_PASSWORD=", "hunter22", "\n"],
  ["password", '{"password": "', "correcthorse", '"}'],
  ["password", "mysql --password ", "hunter22!", " -u root"],
  ["password", "<password>", "Tr0ub4dor", "</password>"],
  ["aws-secret-key", "aws_secret_access_key = ", random(40), "\n"],
  ["cloudflare", "CLOUDFLARE_API_TOKEN=", random(40), "\n"],
  ["datadog", "export DD_API_KEY=", hex(32), "\n"],
  ["heroku", 'HEROKU_API_KEY: "', `${hex(8)}-${hex(4)}-${hex(4)}-${hex(12)}`, '"'],
  ["secret", '"client_secret": "', random(32), '",'],
  ["password", "CREATE USER bob IDENTIFIED BY '", "b0bSecret!", "'"],
  ["password", "mysql -u root -p", "R00tPw99", " db"],
  ["password", "redis-cli -a ", "red1sPass99", " ping"],
  ["password", "sshpass -p ", "l3tm3in", " ssh a@b"],
  ["password", "curl -u admin:", "adm1nPass", " https://x.io"],
  ["password", "localhost:5432:db:app:", "pgS3cret", ""],
  ["password", "root:$6$", `salt$${random(60)}`, ":18000:0"],
  ["password", "DB_PASSWORD=", "correct-horse-battery-staple", "\n"],
  ["password", 'passphrase: "', "correct horse battery staple", '"'],
  ["password", "Das Passwort: ", "Geh3im!Wort", " bitte"],
  ["password", "contraseña: ", "S3creta!99", " y ya"],
  ["aws-secret-key", "AWS_SECRET_ACCESS_KEY=", `wJalrXUtnFEMI/K7MDENG/${"bPxRfiCYEXAMPLEKEY"}`, "\n"],
  ["secret", "the password of a wallet, seed phrase: ", `abandon ${"ability ".repeat(10)}able`, ". Keep it"],
  ["secret", "os.environ['SIGNING_KEY'] = '", random(32), "'"],
];

test.each(samples)("[R46] masks a secret of kind %s", (kind, secret) => {
  const { text, found } = redactSecrets(`before ${secret}, after`);
  expect(text).toBe(`before [redacted: ${kind}], after`);
  expect(found).toEqual([{ kind, start: 7, end: 7 + secret.length }]);
});

test.each(inContext)(
  "[R46] masks what only its context gives away: %s after %s",
  (kind, before, secret, after) => {
    expect(redactSecrets(before + secret + after).text).toBe(`${before}[redacted: ${kind}]${after}`);
  },
);

test("every kind of the table has a sample here", () => {
  const shown = new Set([...samples, ...inContext].map(([kind]) => kind));
  expect(secretKinds.filter(({ kind }) => !shown.has(kind))).toEqual([]);
  expect(shown.size).toBeGreaterThan(50);
});

const harmless: readonly string[] = [
  "max_tokens=4096 and token_count: 1234567890123456",
  "password: string; passwd = None; pwd=/home/me/project",
  'if (password === "") throw new Error("password must not be empty")',
  "const token = await getToken(request.headers.authorization)",
  'api_key = os.environ["OPENAI_API_KEY"]',
  "export OPENAI_API_KEY=your-api-key-here",
  "postgres://user:<password>@host and https://user:{{pass}}@host",
  "password=******** token: xxxxxxxxxxxxxxxxxxxx",
  "commit 9fceb02d0ae598e95dc970b74767f19372d61af8",
  "uuid 01234567-89ab-cdef-0123-456789abcdef",
  "sk-learn-contrib-something-long-but-worded",
  "task-0123456789abcdef0123456789abcdef",
  "Bearer authentication-is-required-here",
  "-----BEGIN PRIVATE KEY----- is how such a file begins",
  "https://example.com:8080/path@2x.png",
  "secretary: Mrs. Robinson, tokenizer: o200k_base",
  "toolu_01J8qT6fRMvPLS7iLpEzmbMk answers call_abcDEF123456ghiJKL789mnoPQR in req_011CdVmnpRhVXWFEgeiCfoHz",
  `"integrity": "sha512-${random(86)}==", sha256:${hex(64)}, ${hex(40)} refs/heads/main`,
  `golang.org/x/text v0.3.0 h1:${random(43)}=`,
  `pkg/__init__.py,sha256=${random(43)},0`,
  `SHA256:${random(43)} me@host (ED25519)`,
  `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${random(44)} me@host`,
  `<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAA${random(4_000)}">`,
  `-----BEGIN CERTIFICATE-----\n${`${random(64)}\n`.repeat(12)}-----END CERTIFICATE-----`,
  `https://docs.google.com/document/d/1${random(43)}/edit and https://cdn.example.com/a/${random(40)}.js`,
  `"fileId": "1${random(32)}", "cursor": "${random(40)}"`,
  "VXNlcjo1MDdmMWY3N2JjZjg2Y2Q3OTk0MzkwMTE= and MDQ6VXNlcjE2NDg2MTI4",
  "Die Passwortregeln: mindestens 8 Zeichen. PASS src/login.test.ts (5.2 s)",
  "max_tokens: 128000, session_tokens: 4000, tokens=[1, 2, 3], key=lambda item: item.name2",
];

test.each(harmless)("leaves alone what is no secret: %s", (text) => {
  expect(redactSecrets(text)).toEqual({ text, found: [] });
});

test("a key that the end of its text cut short is masked as far as it goes", () => {
  const cut = pem("PRIVATE KEY").slice(0, 120);
  expect(redactSecrets(`see ${cut}`).text).toBe("see [redacted: private-key]");
});

test("masks secrets that touch or overlap as one each", () => {
  const key = `ghp_${random(36)}`;
  expect(redactSecrets(`token="${key}"`).text).toBe('token="[redacted: github]"');
  expect(redactSecrets(`${key} ${key}`).found.length).toBe(2);
});

test("masking what is masked changes nothing", () => {
  const piece = fc.oneof(
    fc.constantFrom(...samples.map(([, secret]) => secret)),
    fc.constantFrom(...inContext.map(([, before, secret, after]) => before + secret + after)),
    fc.constantFrom(" ", "", ",", "-", "_", "=", ":", '"', "\n", "@", "://", "password=", "x", "9"),
    fc.string({ maxLength: 6 }),
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
      const once = redactSecrets(pieces.join("")).text;
      expect(redactSecrets(once)).toEqual({ text: once, found: [] });
    }),
    { numRuns: 3_000, seed: 1 },
  );
});

test("found places say what stood there", () => {
  const secret = `glpat-${random(20)}`;
  const text = `one ${secret} two ${secret}`;
  for (const { start, end } of redactSecrets(text).found) expect(text.slice(start, end)).toBe(secret);
});

/** Nothing here is a secret, all of it begins like one, over and over. */
const hostile: readonly string[] = [
  ..."a -語9\0=/%\\'\"{",
  "sk-",
  "eyJ.",
  "xoxb-1-",
  "SG.",
  "token=a1",
  "password ",
  "password='a\n",
  "api_key: a1B\n  ",
  "://a:",
  "http://a:b1\n",
  "https://x.io/?token=a1\n",
  "-----BEGIN PRIVATE KEY-----",
  "-----BEGIN PRIVATE KEY-----\nabcdef0123456789\n",
  "-us",
  "AZDO",
  ":AA",
  "%41",
  "a1B2c3D4e5F6g7H8\n",
  "QUJDREVGR0hJSktM\n",
  "cGFzc3dvcmQ9aHVudGVyMjI= ",
  " -u a:",
  "mysql -p",
  "$2a$10$",
  "\\n",
  "[redacted: github]",
  "redis://:p4ss!word@cache",
];

test.each(hostile)(
  "ends on hostile text, which it would not if its work were not linear: %j",
  (piece) => {
    const text = piece.repeat(Math.ceil(300_000 / piece.length));
    expect(redactSecrets(text).text.length).toBeGreaterThan(0);
  },
  60_000,
);

test("halves of surrogate pairs stay what they are", () => {
  expect(redactSecrets("\ud800\ufeff and so on").text).toBe("\ud800\ufeff and so on");
});
