/** Message shape: recognises the error by which a provider says that the messages of a request do not belong together so. */

/** Looks at the text of the answer. What is about sizes, keys or bills names no message. */
export function namesMessageShape(text: string): boolean {
  const start = text.slice(0, LOOKED_AT);
  return PATTERNS.some((pattern) => pattern.test(start));
}

const LOOKED_AT = 20_000;

/** How providers and servers word it; each beside who does. */
const PATTERNS: readonly RegExp[] = [
  // A message by its place: messages.3.content.0 (Anthropic), messages[3].role and input[3] (OpenAI), ["body","messages",3] (vLLM).
  /\b(?:messages|input)\b[^\w\s]{0,4}\d/,
  /\\?"param\\?"\s*:\s*\\?"(?:messages|input)\b/, // OpenAI
  /\broles? must alternate/i, // Anthropic, Mistral, chat templates
  /\b(?:first|last|final|system|tool|user|assistant) (?:message|role)s?\b.{0,80}\b(?:must|should|cannot|may not|only|expected)\b/i, // Anthropic, Mistral, Ollama
  /\bmessages? with role\b.{0,80}\bmust\b/i, // OpenAI Chat
  /\btool_(?:use|result|call)s?(?:_ids?)?\b.{0,80}\b(?:without|must|unexpected|missing|follow|preced|not found)/i, // Anthropic, OpenAI Chat
  /\bno tool (?:call|output) found for\b/i, // OpenAI Responses
  /\bwithout its required (?:following|preceding) item\b/i, // OpenAI Responses
];
