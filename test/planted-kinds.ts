/** One secret of every row of the project's own table, and of every shape that a rule of secretlint looks for. */
import { createHash } from "node:crypto";
import { type SecretKind, secretKinds } from "../src/redact/secret-kinds.ts";
import { secretOf } from "../src/redact/shaped-secrets.ts";
import type { PlantedSecret } from "./planted-secrets.ts";

/** A whole number below the limit. */
type Random = (limit: number) => number;

const alone = (secret: string): string => `Use ${secret} for now.`;

/** Of every row of `secretKinds`, made from its own pattern: a row that is added is planted as well. */
export function tableSecrets(seed: string): readonly PlantedSecret[] {
  return secretKinds.map((row, index) => {
    const { text, secret } = matchedSample(row, randomFrom(`${seed}/row ${index}`));
    const lead = text.slice(0, text.length - secret.length);
    const line = lead === "" ? alone : (planted: string): string => `Set ${lead}${planted} for now.`;
    return { kind: `row ${index + 1}, ${row.kind}`, secret, line };
  });
}

/** One that the row takes for a secret: a sample leaves out what lookaheads ask for, and may be less varied than it must be. */
function matchedSample(row: SecretKind, random: Random): { readonly text: string; readonly secret: string } {
  const { source, flags } = row.pattern;
  const shape = source.replace(/^\(\?<![^)]*\)|^\\b|\(\?![^)]*\)$/g, "").replaceAll("(?<secret>", "(?:");
  for (;;) {
    const text = sampleOf(shape, random);
    const match = new RegExp(source, flags).exec(text);
    const found = match && secretOf(row, match);
    if (found && match[0].length === text.length) return { text, secret: text.slice(found.start) };
  }
}

export interface RuleSecret extends PlantedSecret {
  /** The rule of secretlint that looks for it. */
  readonly rule: string;
  /** The kind of file in which it looks. */
  readonly file: string;
}

const ANY = "[A-Za-z0-9]";
/** The form of each secret, by the name of its rule. Put together from pieces, so that no scanner takes this file for a leak. */
const RULE_SHAPES: Readonly<Record<string, readonly string[]>> = {
  slack: [
    `xo${"xb"}-\\d{11}-\\d{12}-${ANY}{24}`,
    `xo${"xp"}-\\d{11}-\\d{11}-\\d{12}-[0-9a-f]{32}`,
    `xa${"pp"}-1-A[A-Z0-9]{10}-\\d{13}-[0-9a-f]{64}`,
    `xo${"xa"}-2-\\d{11}-\\d{12}-${ANY}{24}`,
    `xo${"xo"}-\\d{11}-${ANY}{20}`,
    `xo${"xr"}-\\d{11}-${ANY}{24}`,
  ],
  sendgrid: [`S${"G."}\\w{22}\\.${ANY}{42}${ANY}`],
  shopify: ["ss", "at", "ca", "pa"].map((sort) => `shp${sort}_${ANY}{32}`),
  stripe: ["sk_live", "sk_test", "rk_live", "rk_test"].map((sort) => `${sort}_${ANY}{24,99}`),
  github: [
    ...["p", "o", "u", "s", "r"].map((sort) => `gh${sort}_[A-Za-z0-9_]{35}${ANY}`),
    `github_${"pat"}_[A-Za-z0-9_]{81}${ANY}`,
    `gh${"s_"}\\d{6}_eyJ[\\w-]{60}\\.eyJ[\\w-]{180}\\.[\\w-]{120}`,
  ],
  gitlab: [`gl${"pat-"}[\\w-]{19}${ANY}`],
  grafana: [`gl${"c_"}eyJ[A-Za-z0-9+/]{120}=`, `gl${"sa_"}${ANY}{32}_[A-Fa-f0-9]{8}`],
  openai: [
    `sk-${"proj"}-[\\w-]{74}T3BlbkFJ[\\w-]{73}${ANY}`,
    `sk-${"svcacct"}-[\\w-]{58}T3BlbkFJ[\\w-]{57}${ANY}`,
    `sk-${ANY}{20}T3BlbkFJ${ANY}{20}`,
  ],
  anthropic: [`sk-${"ant"}-api0[34]-[\\w-]{93}AA`],
  groq: [`gs${"k_"}${ANY}{52}`],
  huggingface: [`h${"f_"}[a-zA-Z]{34}`],
  linear: [`lin_${"api_"}${ANY}{40}`],
  notion: [`nt${"n_"}\\d{11}${ANY}{35}`],
  "hashicorp-vault": [`hv${"s."}[\\w-]{95}`, `hv${"b."}[\\w-]{150}`, `hv${"r."}[\\w-]{95}`],
  vercel: ["p", "i", "a", "r", "k"].map((sort) => `vc${sort}_${ANY}{56}`),
  databricks: [`da${"pi"}[0-9a-f]{32}(?:-[0-9])?`],
  docker: [`dckr_${"pat_"}[\\w-]{26}${ANY}`],
  figma: [`fi${"gd_"}[\\w-]{40}`],
  cloudflare: ["k", "ut", "at"].map((sort) => `cf${sort}_${ANY}{40}[0-9a-f]{8}`),
  tailscale: ["api", "auth", "client", "scim", "webhook"].map(
    (sort) => `tskey-${sort}-k${ANY}{10}CNTRL-${ANY}{32}`,
  ),
  npm: [`np${"m_"}${ANY}{36}`],
};

/** Of every rule of the preset at least one. */
export function ruleSecrets(seed: string): readonly RuleSecret[] {
  const shaped = Object.entries(RULE_SHAPES).flatMap(([rule, shapes]) =>
    shapes.map((shape, index) => {
      const secret = sampleOf(shape, randomFrom(`${seed}/${rule} ${index}`));
      return { kind: `${rule} ${index + 1}`, rule, file: "notes.txt", secret, line: alone };
    }),
  );
  const make = (rule: string, shape: string, line: (secret: string) => string, file = "notes.txt") => {
    const secret = sampleOf(shape, randomFrom(`${seed}/${rule} ${shape} ${line("")}`));
    return { kind: `${rule} in ${line("…").slice(0, 30)}`, rule, file, secret, line };
  };
  const password = `[a-z]{4}[A-Z]{3}\\d{3}${ANY}{8}`;
  return [
    ...shaped,
    make("slack", `T[A-Z0-9]{10}/B[A-Z0-9]{10}/${ANY}{24}`, (it) => `https://hooks.slack.com/services/${it}`),
    make("aws", "[A-Za-z0-9/+]{40}", (it) => `AWS_SECRET_ACCESS_KEY=${it}`),
    make("aws", "[A-Za-z0-9/+]{39}A", (it) => `{"SecretAccessKey": "${it}"}`),
    make("npm", `${ANY}{40}`, (it) => `https://${it}:x-oauth-basic@github.com/org/app.git`, "package.json"),
    make(
      "npm",
      "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{12}",
      (it) => `//registry.npmjs.org/:_authToken=${it}`,
      ".npmrc",
    ),
    make("basicauth", password, (it) => `https://deploy:${it}@git.internal.net/app`),
    make("basicauth", password, (it) => `ftp://backup:${it}@files.internal.net/`),
    make(
      "database-connection-string",
      password,
      (it) => `mongodb+srv://app:${it}@cluster0.internal.net/main`,
    ),
    make("database-connection-string", password, (it) => `jdbc:mysql://app:${it}@db.internal.net:3306/main`),
    make("database-connection-string", password, (it) => `postgresql://app:${it}@db.internal.net:5432/main`),
    ...["RSA ", "EC ", "DSA ", ""].map((sort) =>
      make("privatekey", keyBlock(`${sort}${"PRIVATE"} KEY`, "MIIE"), alone),
    ),
    make("privatekey", keyBlock(`OPENSSH ${"PRIVATE"} KEY`, "b3BlbnNzaC1rZXktdjE"), alone),
    make("gcp", keyBlock(`${"PRIVATE"} KEY`, "MIIE"), serviceAccount, "key.json"),
    onePassword(seed),
  ];
}

function keyBlock(name: string, magic: string): string {
  const body = `${magic}[A-Za-z0-9+/]{${64 - magic.length}}\\n(?:[A-Za-z0-9+/]{64}\\n){3}[A-Za-z0-9+/]{27}=`;
  return `-----BEGIN ${name}-----\\n${body}\\n-----END ${name}-----`;
}

function serviceAccount(key: string): string {
  return JSON.stringify({ type: "service_account", private_key_id: "0f3a", private_key: key });
}

/** The rule decodes it. */
function onePassword(seed: string): RuleSecret {
  const random = randomFrom(`${seed}/1password`);
  const account = {
    email: `${sampleOf("[a-z]{13}", random)}@1passwordserviceaccounts.com`,
    muk: { alg: "A256GCM", k: sampleOf("[\\w-]{43}", random) },
    secretKey: sampleOf("A3-[A-Z0-9]{6}-[A-Z0-9]{6}-[A-Z0-9]{5}", random),
    srpX: sampleOf("[0-9a-f]{64}", random),
  };
  const text = JSON.stringify(account).slice(0, -1);
  // The rule wants it to end as `}` does where it begins a group of three bytes.
  const padded = `${text}${" ".repeat((3 - (Buffer.byteLength(text) % 3)) % 3)}}`;
  const secret = `op${"s_"}${Buffer.from(padded).toString("base64")}`;
  return { kind: "1password", rule: "1password", file: "notes.txt", secret, line: alone };
}

function randomFrom(seed: string): Random {
  let count = 0;
  let bytes = Buffer.alloc(0);
  return (limit) => {
    if (bytes.length < 4) bytes = createHash("sha256").update(`${seed}/${count++}`).digest();
    const value = bytes.readUInt32BE();
    bytes = bytes.subarray(4);
    return value % limit;
  };
}

const PRINTABLE = Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index));
/** How much longer than the shortest a repetition without an end becomes. */
const MORE = 12;

/** A text of an expression; knows letters, escapes, classes, groups, alternatives, lookaheads that may be left out, and counts. */
export function sampleOf(source: string, random: Random): string {
  const { text, end } = sampleFrom(source, 0, random);
  if (end !== source.length) throw new SyntaxError(`No sample of ${source}, from ${source.slice(end)}`);
  return text;
}

interface Sampled {
  readonly text: string;
  readonly end: number;
}

function sampleFrom(source: string, start: number, random: Random): Sampled {
  const choices: { text: string; isBound?: boolean }[] = [{ text: "" }];
  let at = start;
  while (at < source.length && source[at] !== ")") {
    if (source[at] === "|") {
      choices.push({ text: "" });
      at++;
      continue;
    }
    const atom = sampleAtom(source, at);
    const count = /^(?:\{(\d+)(,)?(\d*)\}|([?*+]))/.exec(source.slice(atom.end));
    at = atom.end + (count?.[0].length ?? 0);
    const times = timesOf(count, random);
    for (let time = 0; time < times; time++) choices.at(-1)!.text += atom.make(random);
    if (atom.isBound) choices.at(-1)!.isBound = true;
  }
  // What depends on the next character is left out where there is another choice.
  const free = choices.filter(({ isBound }) => !isBound);
  const offered = free.length > 0 ? free : choices;
  return { text: offered[random(offered.length)]!.text, end: at };
}

function timesOf(count: RegExpExecArray | null, random: Random): number {
  if (!count) return 1;
  const [, least, isRange, most, sign] = count;
  if (sign !== undefined) return (sign === "+" ? 1 : 0) + random(2);
  const from = Number(least);
  if (!isRange) return from;
  return from + random(Math.min(MORE, (most ? Number(most) : Number.POSITIVE_INFINITY) - from) + 1);
}

interface Atom {
  readonly end: number;
  readonly make: (random: Random) => string;
  readonly isBound?: boolean;
}

function sampleAtom(source: string, at: number): Atom {
  const rest = source.slice(at);
  const lookahead = /^\(\?[=!][^()]*\)/.exec(rest);
  if (lookahead) return { end: at + lookahead[0].length, make: () => "", isBound: true };
  if (rest.startsWith("(?:")) {
    const { end } = sampleFrom(source, at + 3, () => 0);
    return { end: end + 1, make: (random) => sampleFrom(source, at + 3, random).text };
  }
  const one = /^(?:\[(?:\\.|[^\]\\])*\]|\\.|[^\\[(])/.exec(rest)![0];
  const pattern = new RegExp(`^${one === "." || one === "$" ? `\\${one}` : one}$`);
  const signs = one === "\\n" ? ["\n"] : PRINTABLE.filter((sign) => pattern.test(sign));
  return { end: at + one.length, make: (random) => signs[random(signs.length)]! };
}
