/** Writing to stderr: people's text, which terminals and services keep. Secrets are masked in it. */
import { redactSecrets } from "../redact/redact-secrets.ts";

export function writeStderr(text: string): void {
  process.stderr.write(redactSecrets(text).text);
}
