/** pith/redact: secrets found and masked. */
import "../needed-node.ts";

export { maskJson, maskText } from "./mask-json.ts";
export type { MaskedText } from "./masked-text.ts";
export { redactSecrets } from "./redact-secrets.ts";
