/** unshaped: the settings of a model's call without those that shape the agent's answers, which must not shape a summary. */

type Settings = Readonly<Record<string, unknown>>;

export function unshaped(settings: Settings): Settings {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => {
      if (SHAPING.has(name)) return [];
      return [[name, HOLD_A_FORMAT.has(name) ? withoutFormat(value) : value]];
    }),
  );
}

/** As providers and SDKs spell them. */
const SHAPING = new Set([
  ...["max_tokens", "maxTokens", "max_completion_tokens", "max_output_tokens", "maxOutputTokens"],
  ...["stop", "stop_sequences", "stopSequences", "n", "logit_bias", "prediction", "modalities", "audio"],
  ...["response_format", "responseFormat", "output_format", "outputFormat", "responseSchema"],
  ...["response_schema", "responseMimeType", "response_mime_type", "ls_structured_output_format"],
]);

const HOLD_A_FORMAT = new Set(["text", "output_config", "outputConfig"]);

function withoutFormat(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const { format: _, ...rest } = value as { readonly format?: unknown };
  return rest;
}
