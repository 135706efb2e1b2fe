/** What --target is a ceiling of, counted on the wire without the engine: o200k by gpt-tokenizer, plus 4 a message. */
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";

type Wire = Record<string, unknown>;

/** Tokens of openai-chat messages; of a system message, what was added to one that came in. Media are not counted. */
export function wireTokens(before: readonly unknown[], after: readonly unknown[]): number {
  const given = (before as readonly Wire[]).filter(isSystem).map(textOf);
  let tokens = 0;
  for (const message of after as readonly Wire[]) {
    const text = textOf(message);
    if (isSystem(message) && given.includes(text)) continue;
    const origin = isSystem(message) ? given.find((each) => text.startsWith(each)) : undefined;
    if (origin === undefined) tokens += plainCount(text) + 4;
    else tokens += plainCount(text.slice(origin.length));
  }
  return tokens;
}

export function plainCount(text: string): number {
  return countTokens(text, { disallowedSpecial: new Set() });
}

function isSystem({ role }: Wire): boolean {
  return role === "system" || role === "developer";
}

function textOf({ content, tool_calls: calls }: Wire): string {
  const said = Array.isArray(content)
    ? content.map((piece) => (typeof piece === "string" ? piece : (piece?.text ?? "")))
    : [content];
  const asked = (Array.isArray(calls) ? calls : []).map(
    (call) => `${call?.function?.name ?? ""} ${call?.function?.arguments ?? ""}`,
  );
  return [...said, ...asked].filter((each) => typeof each === "string" && each !== "").join("\n");
}
