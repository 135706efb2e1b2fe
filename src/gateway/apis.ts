/** The model APIs that the gateway reads, told by the path of a request; everything else passes through. */

export interface Api {
  readonly name: "chat" | "responses" | "messages" | "count-tokens";
  /** The engine's name of its wire format. */
  readonly format: "openai-chat" | "openai-responses" | "anthropic-messages";
}

const APIS: readonly (Api & { readonly path: RegExp })[] = [
  { name: "chat", format: "openai-chat", path: /\/chat\/completions$/ },
  { name: "responses", format: "openai-responses", path: /\/responses$/ },
  { name: "messages", format: "anthropic-messages", path: /\/messages$/ },
  { name: "count-tokens", format: "anthropic-messages", path: /\/messages\/count_tokens$/ },
];

/** `apiOf("POST", "/v1/messages?beta=true")` → the Messages API; undefined for what is not read. */
export function apiOf(method: string | undefined, target: string): Api | undefined {
  if (method !== "POST") return undefined;
  const path = (target.split("?")[0] ?? "").replace(/\/+$/, "");
  const found = APIS.find((api) => api.path.test(path));
  return found && { name: found.name, format: found.format };
}
