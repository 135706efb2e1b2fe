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

/** Of which secrets a text holds a stretch, be it a line of a key or the beginning of a token that was cut. */
export function foundIn(text: string, planted: readonly PlantedSecret[]): readonly PlantedSecret[] {
  const owners = new Map<string, PlantedSecret>();
  for (const one of planted) {
    const bare = withoutBreaks(one.secret.replace(/-----[A-Z ]+-----/g, ""));
    const last = Math.max(0, bare.length - TRACE_CHARS);
    for (let at = 0; at <= last; at++) owners.set(bare.slice(at, at + TRACE_CHARS), one);
  }
  const found = new Set<PlantedSecret>();
  const bare = withoutBreaks(text);
  for (let at = 0; at + TRACE_CHARS <= bare.length; at++) {
    const owner = owners.get(bare.slice(at, at + TRACE_CHARS));
    if (owner) found.add(owner);
  }
  return [...found];
}

/** Escapes of line breaks count as breaks, at whatever depth of JSON. */
function withoutBreaks(text: string): string {
  return text.replace(/\\+[nrt]|[\s\\]/g, "");
}
