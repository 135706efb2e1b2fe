/** Models: what a model's name tells about its tokenizer and its window. */
import type { ImagePricing } from "./media.ts";
import type { Encoding } from "./vocabulary.ts";

export interface ModelProfile {
  /** The encoding that its text is counted in. */
  readonly encoding: Encoding;
  /** Whether that is the model's own tokenizer; otherwise the count is an estimate. */
  readonly exact: boolean;
  /** What the count is multiplied by where the tokenizer is private; 1 where it is not. */
  readonly factor: number;
  readonly images: ImagePricing;
  /** Context window in tokens, where known. */
  readonly window?: number;
  /** The most tokens one answer may have, where known. */
  readonly maxOutput?: number;
}

/**
 * Looks a model up by the longest known name that its name contains, so that provider prefixes and date suffixes
 * do not matter: `us.anthropic.claude-sonnet-4-20250514-v1:0`, `openai/gpt-4o`.
 * No name: o200k, taken as exact. A name nobody knows: o200k, an estimate.
 */
export function modelProfile(model: string | undefined): ModelProfile {
  if (!model) return UNNAMED;
  const name = model.toLowerCase();
  return TABLE.find(([fragment]) => containsName(name, fragment))?.[1] ?? UNKNOWN;
}

/** A name begins at a word's start and its number ends where it ends: `o1` is in `openai/o1-mini`, not in `o10`. */
function containsName(name: string, fragment: string): boolean {
  for (let at = name.indexOf(fragment); at >= 0; at = name.indexOf(fragment, at + 1)) {
    const before = name[at - 1] ?? "/";
    const edge = name.slice(at + fragment.length - 1, at + fragment.length + 1);
    if (!/[a-z0-9]/.test(before) && !/^[0-9]{2}$/.test(edge)) return true;
  }
  return false;
}

const UNNAMED: ModelProfile = { encoding: "o200k_base", exact: true, factor: 1, images: "tiles" };
const UNKNOWN: ModelProfile = { ...UNNAMED, exact: false };

const openai = (encoding: Encoding, window: number, maxOutput: number): ModelProfile => ({
  encoding,
  exact: true,
  factor: 1,
  images: "tiles",
  window,
  maxOutput,
});
const o200k = (window: number, maxOutput: number): ModelProfile => openai("o200k_base", window, maxOutput);
const cl100k = (window: number, maxOutput: number): ModelProfile => openai("cl100k_base", window, maxOutput);

/** A private or foreign tokenizer, estimated from the o200k count. */
const estimated = (factor: number, window?: number, maxOutput?: number): ModelProfile => ({
  ...UNKNOWN,
  factor,
  ...(window === undefined ? {} : { window }),
  ...(maxOutput === undefined ? {} : { maxOutput }),
});
/**
 * Claude's tokenizer is private. Prompt growth in recorded sessions, by reported usage, was 1.1 to 1.25 times the
 * o200k count up to Claude 4.6 and 1.5 to 1.7 times since 4.7.
 */
const claude = (factor: number, window?: number, maxOutput?: number): ModelProfile => ({
  ...estimated(factor, window, maxOutput),
  images: "area",
});

const PROFILES: Readonly<Record<string, ModelProfile>> = {
  "gpt-3.5": cl100k(16_385, 4_096),
  "gpt-35": cl100k(16_385, 4_096),
  "gpt-4": cl100k(8_192, 8_192),
  "gpt-4-32k": cl100k(32_768, 8_192),
  "gpt-4-turbo": cl100k(128_000, 4_096),
  "gpt-4-1106": cl100k(128_000, 4_096),
  "gpt-4-0125": cl100k(128_000, 4_096),
  "gpt-4-vision": cl100k(128_000, 4_096),
  "gpt-4o": o200k(128_000, 16_384),
  "chatgpt-4o": o200k(128_000, 16_384),
  "gpt-4.1": o200k(1_047_576, 32_768),
  "gpt-4.5": o200k(128_000, 16_384),
  "gpt-5": o200k(400_000, 128_000),
  "gpt-5-chat": o200k(128_000, 16_384),
  "gpt-5.1-chat": o200k(128_000, 16_384),
  "gpt-5.2-chat": o200k(128_000, 16_384),
  "gpt-5.3-chat": o200k(128_000, 16_384),
  "gpt-5.4": o200k(1_050_000, 128_000),
  "gpt-5.4-mini": o200k(400_000, 128_000),
  "gpt-5.4-nano": o200k(400_000, 128_000),
  "gpt-5.5": o200k(1_050_000, 128_000),
  "gpt-oss": o200k(131_072, 131_072),
  "codex-mini": o200k(200_000, 100_000),
  o1: o200k(200_000, 100_000),
  "o1-mini": o200k(128_000, 65_536),
  "o1-preview": o200k(128_000, 32_768),
  o3: o200k(200_000, 100_000),
  "o4-mini": o200k(200_000, 100_000),

  claude: claude(1.6, 200_000),
  "claude-instant": claude(1.2, 100_000, 4_096),
  "claude-2": claude(1.2, 100_000, 4_096),
  "claude-v2": claude(1.2, 100_000, 4_096),
  "claude-3": claude(1.2, 200_000, 4_096),
  "claude-3-5": claude(1.2, 200_000, 8_192),
  "claude-3.5": claude(1.2, 200_000, 8_192),
  "claude-3-7": claude(1.2, 200_000, 64_000),
  "claude-3.7": claude(1.2, 200_000, 64_000),
  "claude-sonnet-4": claude(1.2, 200_000, 64_000),
  "claude-haiku-4": claude(1.2, 200_000, 64_000),
  "claude-opus-4": claude(1.2, 200_000, 32_000),
  "claude-opus-4-5": claude(1.2, 200_000, 64_000),
  "claude-opus-4.5": claude(1.2, 200_000, 64_000),
  "claude-opus-4-6": claude(1.2, 200_000, 64_000),
  "claude-opus-4.6": claude(1.2, 200_000, 64_000),
  "claude-opus-4-7": claude(1.6, 200_000, 64_000),
  "claude-opus-4.7": claude(1.6, 200_000, 64_000),
  "claude-opus-4-8": claude(1.6, 200_000, 64_000),
  "claude-opus-4.8": claude(1.6, 200_000, 64_000),
  "claude-opus-5": claude(1.6, 1_000_000),
  "claude-sonnet-5": claude(1.6, 1_000_000),
  "claude-fable-5": claude(1.6, 1_000_000),

  gemini: estimated(1.1),
  "gemini-1.5-pro": estimated(1.1, 2_097_152, 8_192),
  "gemini-1.5-flash": estimated(1.1, 1_048_576, 8_192),
  "gemini-2.0": estimated(1.1, 1_048_576, 8_192),
  "gemini-2.5": estimated(1.1, 1_048_576, 65_536),
  "gemini-3": estimated(1.1, 1_048_576, 65_536),
  gemma: estimated(1.1),
  llama: estimated(1.1),
  "llama-3": estimated(1.1, 8_192),
  "llama-3.1": estimated(1.1, 131_072),
  "llama-3.2": estimated(1.1, 131_072),
  "llama-3.3": estimated(1.1, 131_072),
  llama3: estimated(1.1, 8_192),
  "llama3-1": estimated(1.1, 131_072),
  "llama3-2": estimated(1.1, 131_072),
  "llama3-3": estimated(1.1, 131_072),
  "llama3.1": estimated(1.1, 131_072),
  "llama3.2": estimated(1.1, 131_072),
  "llama3.3": estimated(1.1, 131_072),
  "llama-4": estimated(1.1, 1_048_576),
  mistral: estimated(1.2),
  "mistral-large": estimated(1.1, 131_072),
  "mistral-medium": estimated(1.1, 131_072),
  "mistral-small": estimated(1.1, 131_072),
  ministral: estimated(1.1, 131_072),
  mixtral: estimated(1.2, 32_768),
  codestral: estimated(1.2),
  devstral: estimated(1.1, 131_072),
  qwen: estimated(1.1),
  qwen3: estimated(1.1, 131_072),
  "qwen3-coder": estimated(1.1, 262_144),
  deepseek: estimated(1.1, 131_072),
  grok: estimated(1.1),
  "grok-3": estimated(1.1, 131_072),
  "grok-4": estimated(1.1, 256_000),
  kimi: estimated(1.1),
  "kimi-k2": estimated(1.1, 131_072),
  glm: estimated(1.1),
  "glm-4.5": estimated(1.1, 131_072),
  "glm-4.6": estimated(1.1, 200_000),
};

/** Longest names first: the first that fits is the longest that fits. */
const TABLE = Object.entries(PROFILES).sort(([left], [right]) => right.length - left.length);
