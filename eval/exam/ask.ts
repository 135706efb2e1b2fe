/** Asks a model that the environment names to be a reader or the marker; without one, papers and sheets wait for whoever reads them. */
import { summarizerAt } from "../../src/summarizer/summarizer-at.ts";

/** One question in a fresh context, and the JSON that was answered. */
export type Ask = (prompt: string) => Promise<unknown>;

export type Environment = Readonly<Record<string, string | undefined>>;

const timeoutMs = 15 * 60_000;
/** The answers of one case are some thousand tokens; where the API demands a cap, it is four times this. */
const expectedTokens = 8000;

/** `PITH_READER_URL`, `PITH_READER_MODEL`, `PITH_READER_KEY` and `PITH_READER_API` (openai or anthropic); for the marker `PITH_MARKER_…`. */
export function askOf(role: "READER" | "MARKER", environment: Environment): Ask | undefined {
  const told = (name: string) => environment[`PITH_${role}_${name}`];
  const [url, model, api = "openai"] = [told("URL"), told("MODEL"), told("API")];
  if (!url) return undefined;
  if (!model) throw new Error(`PITH_${role}_URL is set, and PITH_${role}_MODEL is not.`);
  if (api !== "openai" && api !== "anthropic")
    throw new Error(`PITH_${role}_API is ${api}; it is openai or anthropic.`);
  const client = summarizerAt({ url, model, kind: api, key: told("KEY") });
  return async (prompt) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const { text, finish } = await client.summarize({ prompt, targetTokens: expectedTokens, signal });
    if (finish !== "stop") throw new Error(`${client.name} did not finish its answer (${finish}).`);
    return jsonIn(text);
  };
}

/** The JSON of a reply, which may stand in a fence or between sentences. */
export function jsonIn(text: string): unknown {
  const start = text.search(/[[{]/);
  const end = Math.max(text.lastIndexOf("]"), text.lastIndexOf("}"));
  try {
    return JSON.parse(text.slice(start, end + 1));
  } catch {
    throw new Error(`The reply holds no JSON: ${JSON.stringify(text.slice(0, 80))}`);
  }
}
