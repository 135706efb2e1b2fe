/** Context overflow: recognises the error by which a provider says that a request is too long, and what it says of sizes. */

export interface ContextOverflow {
  /** The window that the provider named. */
  readonly windowTokens?: number;
  /** The size of the request that it named. */
  readonly promptTokens?: number;
}

/** Undefined when the error is about something else. Looks at codes, messages and bodies, and at causes. */
export function contextOverflowOf(error: unknown): ContextOverflow | undefined {
  const texts: string[] = [];
  collectTexts(error, texts, 0);
  const text = texts.join("\n").slice(0, 20_000);
  if (!CODES.some((code) => text.includes(code)) && !PATTERNS.some((pattern) => pattern.test(text)))
    return undefined;
  const windowTokens = firstNumber(text, WINDOW_PATTERNS);
  const promptTokens = firstNumber(text, PROMPT_PATTERNS);
  return {
    ...(windowTokens === undefined ? {} : { windowTokens }),
    ...(promptTokens === undefined ? {} : { promptTokens }),
  };
}

/** Stable codes of providers. */
const CODES: readonly string[] = [
  "context_length_exceeded",
  "model_context_window_exceeded",
  "string_above_max_length",
  "ContextWindowExceededError",
  "ContextOverflowError",
];

/** How providers and servers word it; each beside who does. */
const PATTERNS: readonly RegExp[] = [
  /maximum context length is \d+/i, // OpenAI, vLLM, DeepSeek, OpenRouter
  /prompt is too long: \d+ tokens/i, // Anthropic
  /input length and `?max_tokens`? exceed context limit/i, // Anthropic
  /input token count \(?\d+\)? exceeds the maximum/i, // Gemini
  /exceeds? the (?:maximum|available) (?:number of tokens|context (?:size|length|window))/i, // Gemini, llama.cpp
  /input is too long for (?:the )?requested model/i, // Bedrock
  /too many (?:input )?tokens(?!, please wait)/i, // Cohere; Bedrock says the rest when it throttles
  /too large for model with \d+ maximum context length/i, // Mistral
  /request too large for model/i, // Groq
  /prompt (?:has|contains) \d+ tokens?,? (?:but|which)/i, // TGI, LM Studio
  /(?:`?inputs`? tokens|inputs must have less than \d+ tokens)/i, // TGI
  /context (?:window|length) (?:of .{1,40} )?(?:was |is |has been )?exceeded/i,
  /(?:input|prompt|request|conversation) (?:is )?(?:too long|exceeds) .{0,40}context/i,
  /your input exceeds the context window/i, // OpenAI Responses
];

const WINDOW_PATTERNS: readonly RegExp[] = [
  /maximum context length (?:is|of) ([\d,]+)/i,
  /tokens? > ([\d,]+) maximum/i,
  /context limit: \d+ \+ \d+ > ([\d,]+)/i,
  /maximum number of tokens allowed \(?([\d,]+)/i,
  /([\d,]+) maximum context length/i,
  /context (?:size|window)[^\d]{0,30}([\d,]+)/i,
  /less than ([\d,]+) tokens/i,
];

const PROMPT_PATTERNS: readonly RegExp[] = [
  /prompt is too long: ([\d,]+) tokens/i,
  /resulted in ([\d,]+) tokens/i,
  /input token count \(?([\d,]+)/i,
  /(?:requested|contains|has) ([\d,]+) tokens/i,
];

function firstNumber(text: string, patterns: readonly RegExp[]): number | undefined {
  for (const pattern of patterns) {
    const found = Number(pattern.exec(text)?.[1]?.replaceAll(",", ""));
    if (Number.isSafeInteger(found) && found > 0) return found;
  }
  return undefined;
}

const LOOKED_AT = [
  "code",
  "type",
  "message",
  "error",
  "errors",
  "body",
  "response",
  "responseBody",
  "data",
  "cause",
  "name",
] as const;

function collectTexts(value: unknown, texts: string[], depth: number): void {
  if (typeof value === "string") texts.push(value.slice(0, 4000));
  else if (Array.isArray(value)) for (const each of value.slice(0, 8)) collectTexts(each, texts, depth + 1);
  else if (typeof value === "object" && value !== null && depth < 5) {
    for (const key of LOOKED_AT) collectTexts((value as Record<string, unknown>)[key], texts, depth + 1);
  }
}
