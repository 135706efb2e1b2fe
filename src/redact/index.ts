/** pith/redact: secrets found and masked. */
export { maskJson, maskText } from "./mask-json.ts";
export type { MaskedText } from "./masked-text.ts";
export { redactSecrets } from "./redact-secrets.ts";
