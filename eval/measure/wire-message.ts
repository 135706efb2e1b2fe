/** WireMessage: an OpenAI chat message as the recordings hold it, and the text that a model sees of it. */

export interface WireToolCall {
  readonly id: string;
  readonly type?: string;
  readonly function: { readonly name: string; readonly arguments: string };
}

export interface WireMessage {
  readonly role: string;
  readonly content?: unknown;
  readonly tool_calls?: readonly WireToolCall[] | null;
  readonly tool_call_id?: string;
  readonly name?: string;
}

/** Everything that a model sees of a message: its text, and the name and arguments of each call. */
export function textOf(message: WireMessage): string {
  const calls = (message.tool_calls ?? []).map(
    (call) => `\n${call.function?.name ?? ""} ${call.function?.arguments ?? ""}`,
  );
  return contentText(message.content) + calls.join("");
}

/** What the author of a message chose to write: of its calls the values, since the tool's schema tells the keys. */
export function chosenTextOf(message: WireMessage): string {
  const values = (message.tool_calls ?? []).map((call) => argumentValues(call.function?.arguments ?? ""));
  return [contentText(message.content), ...values].join("\n");
}

function contentText(content: unknown): string {
  if (typeof content === "string") return content;
  return Array.isArray(content) ? content.map(partText).join("\n") : "";
}

function partText(part: { text?: string; thinking?: string; content?: unknown }): string {
  return part.text ?? part.thinking ?? (typeof part.content === "string" ? part.content : "");
}

function argumentValues(json: string): string {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    // Not every recorded argument is JSON; the author chose all of such a text.
    return json;
  }
  const leaves: string[] = [];
  collectLeaves(value, leaves);
  return leaves.join("\n");
}

function collectLeaves(value: unknown, leaves: string[]): void {
  if (value === null || value === undefined) return;
  if (typeof value !== "object") leaves.push(String(value));
  else for (const inner of Object.values(value)) collectLeaves(inner, leaves);
}
