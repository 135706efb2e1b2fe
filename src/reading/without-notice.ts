/** What a command printed, without what its tool says of itself below. */
import { BELOW_OUTPUT } from "./agents/notices.ts";

export function withoutNotice(text: string): string {
  const last = text.lastIndexOf("\n") + 1;
  return text.startsWith(BELOW_OUTPUT, last) ? text.slice(0, last).trimEnd() : text;
}
