/** Strict count: what a request costs, counted on the wire without the engine: o200k by gpt-tokenizer, all that is sent. */
import type { Json } from "../gateway-wires.ts";
import { plainCount } from "../independent-count.ts";

export interface StrictCount {
  /** What a provider's own tokenizer makes of a token of o200k. @default 1 */
  readonly factor?: number;
  /** Tokens of a character of sealed thinking: as recorded answers had it on long thoughts. @default 0.28 */
  readonly sealed?: number;
}

/** Keys whose values name or mark something; what is said stands elsewhere. */
const NAMES: ReadonlySet<string> = new Set([
  "id",
  "call_id",
  "tool_call_id",
  "tool_use_id",
  "type",
  "role",
  "status",
]);
const SEALS: ReadonlySet<string> = new Set(["encrypted_content", "signature", "data"]);

export function strictCount(body: Json, { factor = 1, sealed = 0.28 }: StrictCount = {}): number {
  const messages = (body.messages ?? body.input) as readonly Json[];
  const said = [body.system, body.instructions, ...messages].reduce<number>(
    (sum, each) => sum + tokensIn(each, "", { factor, sealed }),
    0,
  );
  const tools = ((body.tools ?? []) as readonly unknown[]).map(
    (tool) => factor * plainCount(JSON.stringify(tool)),
  );
  return Math.ceil(said + 4 * messages.length + tools.reduce((sum, each) => sum + each, 0));
}

function tokensIn(value: unknown, key: string, costs: Required<StrictCount>): number {
  if (typeof value === "string") {
    if (SEALS.has(key)) return value.length * costs.sealed;
    return NAMES.has(key) ? 0 : costs.factor * plainCount(value);
  }
  if (typeof value !== "object" || value === null) return 0;
  // The arguments of a call, as the model wrote them.
  if (key === "input") return costs.factor * plainCount(JSON.stringify(value));
  return Object.entries(value).reduce(
    (sum, [name, member]) => sum + tokensIn(member, Array.isArray(value) ? key : name, costs),
    0,
  );
}
