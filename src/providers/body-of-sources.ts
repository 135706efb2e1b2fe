/** bodyOfSources: a body put together again from the texts of its messages, as a wire format had them. */
import { LIST_KEYS } from "../json/source.ts";
import { openAIResponses } from "./openai-responses/format.ts";

/**
 * The text of a body that the format reads. A system prompt that the wire keeps beside its messages comes first, as it
 * was there: text or a list of blocks.
 *
 *     bodyOfSources(['"Be brief."', '{"role":"user"}'], "anthropic-messages") → '{"system":"Be brief.","messages":[{"role":"user"}]}'
 */
export function bodyOfSources(sources: readonly string[], format: string): string {
  const [first = "", ...rest] = sources;
  if (!/^\s*["[]/.test(first)) return `[${sources.join(",")}]`;
  const key = format === openAIResponses.name ? "input" : "messages";
  return `{"${LIST_KEYS[key]}":${first},"${key}":[${rest.join(",")}]}`;
}
