/** pith/redact: secrets found and masked. */
export { maskJson, maskText } from "./mask-json.ts";
export { redactSecrets } from "./redact-secrets.ts";
