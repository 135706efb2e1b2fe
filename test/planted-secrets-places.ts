/** Where secrets are planted: in text, nested arguments, URLs, base64 and over lines; and what a search finds of one. */
import { type Masked, maskJson, maskText } from "../src/redact/mask-json.ts";
import type { PlantedSecret } from "./planted-secrets.ts";

export interface Place {
  readonly name: string;
  readonly plant: (planted: PlantedSecret) => string;
  readonly mask: (source: string) => Masked;
}

/** Every place, with what masks it. */
export const places: readonly Place[] = [
  { name: "plain text", plant: ({ secret, line }) => `First.\n${line(secret)}\nLast.`, mask: maskText },
  { name: "a message", plant: ({ secret, line }) => message(line(secret)), mask: maskJson },
  {
    name: "nested arguments",
    plant: ({ secret, line }) =>
      call({ command: line(secret), options: { depth: [1, { note: "caf\u00e9" }] } }),
    mask: maskJson,
  },
  {
    name: "JSON in JSON in JSON",
    plant: ({ secret, line }) =>
      call({ body: JSON.stringify({ inner: JSON.stringify({ text: line(secret) }) }) }),
    mask: maskJson,
  },
  {
    name: "a field named after it",
    plant: ({ secret }) => call({ settings: { api_key: secret, region: "eu" } }),
    mask: maskJson,
  },
  {
    name: "a URL",
    plant: ({ secret }) =>
      `GET https://api.internal/v1/items?page=2&access_token=${encodeURIComponent(secret)}&sort=up`,
    mask: maskText,
  },
  {
    name: "the login of a URL",
    plant: ({ secret }) => `git clone https://app:${encodeURIComponent(secret)}@git.internal/app.git`,
    mask: maskText,
  },
  { name: "base64", plant: ({ secret, line }) => `data: ${base64(line(secret))}\nnext: 1`, mask: maskText },
  { name: "base64 of it alone", plant: ({ secret }) => `blob ${base64(secret)} end`, mask: maskText },
  {
    name: "wrapped base64",
    plant: ({ secret, line }) => message(base64(`# settings\n${line(secret)}\n`).replace(/.{60}/g, "$&\n")),
    mask: maskJson,
  },
  {
    name: "two lines",
    plant: ({ secret, line }) => `${line(halves(secret).join("\n    "))}\nLast.`,
    mask: maskText,
  },
  {
    name: "two lines of a message",
    plant: ({ secret, line }) => message(line(halves(secret).join("\n"))),
    mask: maskJson,
  },
  {
    name: "two lines of arguments",
    plant: ({ secret, line }) => call({ command: line(halves(secret).join("\\\n  ")) }),
    mask: maskJson,
  },
  {
    name: "lines of 24 signs",
    plant: ({ secret, line }) => `Key:\n${line(secret.replace(/[^\n]{24}(?=.)/g, "$&\n"))}\n`,
    mask: maskText,
  },
];

function message(content: string): string {
  return JSON.stringify({ role: "user", content: [{ type: "text", text: content }] });
}

function call(input: unknown): string {
  const call = {
    id: "call_1",
    type: "function",
    function: { name: "run", arguments: JSON.stringify(input) },
  };
  return JSON.stringify({ role: "assistant", content: null, tool_calls: [call] });
}

function base64(text: string): string {
  return Buffer.from(text).toString("base64");
}

function halves(secret: string): readonly string[] {
  const middle = Math.ceil(secret.length / 2);
  return [secret.slice(0, middle), secret.slice(middle)];
}

/** What of a secret a search finds: all of it, either half, its base64 at any place of a text or its percent-encoding, whatever the line breaks. */
export function traces({ secret, line }: PlantedSecret, text: string): readonly string[] {
  const bare = withoutBreaks(text);
  const encoded = [0, 1, 2].map((shift) => base64("x".repeat(shift) + secret).slice(shift > 0 ? 4 : 0, -4));
  return [secret, ...halves(secret), ...encoded, base64(line(secret)), encodeURIComponent(secret)]
    .map((trace) => withoutBreaks(trace).replace(/=+$/, ""))
    .filter((trace) => bare.includes(trace));
}

/** So many characters of a secret in a row are a trace of it; fewer may stand anywhere. */
const TRACE_CHARS = 12;

interface Traces<Secret> {
  readonly owners: ReadonlyMap<string, Secret>;
  /** Which fours of characters a trace may begin with: at nearly every place of a text none does. */
  readonly starts: Uint8Array;
}

const tracesOf = new WeakMap<readonly PlantedSecret[], Traces<PlantedSecret>>();

function tracesIn<Secret extends PlantedSecret>(planted: readonly Secret[]): Traces<Secret> {
  const owners = new Map<string, Secret>();
  const starts = new Uint8Array(1 << 24);
  for (const one of planted) {
    const bare = withoutBreaks(one.secret.replace(/-----[A-Z ]+-----/g, ""));
    const last = Math.max(0, bare.length - TRACE_CHARS);
    for (let at = 0; at <= last; at++) {
      owners.set(bare.slice(at, at + TRACE_CHARS), one);
      starts[startAt(bare, at)] = 1;
    }
  }
  tracesOf.set(planted, { owners, starts });
  return { owners, starts };
}

/** Of which secrets a text holds a stretch, be it a line of a key or the beginning of a token that was cut. */
export function foundIn<Secret extends PlantedSecret>(
  text: string,
  planted: readonly Secret[],
): readonly Secret[] {
  const { owners, starts } = (tracesOf.get(planted) as Traces<Secret> | undefined) ?? tracesIn(planted);
  const found = new Set<Secret>();
  const bare = withoutBreaks(text.replace(/\0+/g, "\0"));
  for (let at = 0; at + TRACE_CHARS <= bare.length; at++) {
    const owner = starts[startAt(bare, at)] === 1 ? owners.get(bare.slice(at, at + TRACE_CHARS)) : undefined;
    if (owner) found.add(owner);
  }
  for (const one of planted) if (one.secret.length < TRACE_CHARS && bare.includes(one.secret)) found.add(one);
  return [...found];
}

function startAt(text: string, at: number): number {
  let start = 0;
  for (let offset = 0; offset < 4; offset++) start = (start << 6) ^ text.charCodeAt(at + offset);
  return start & 0xffffff;
}

/** Escapes of line breaks count as breaks, at whatever depth of JSON. */
function withoutBreaks(text: string): string {
  return text.replace(/\\+[nrt]|[\s\\]/g, "");
}
