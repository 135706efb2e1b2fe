/** Checks one compaction against everything that is promised of it. */
import { createCompactor } from "../src/compactor.ts";
import { readConversation } from "../src/formats/detect.ts";
import { violations } from "../src/invariants/index.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import type { GeneratedConversation } from "./arbitrary-conversation.ts";
import { wireTokens } from "./independent-count.ts";
import { independentFloor } from "./independent-floor.ts";
import { newWireFaults } from "./wire-faults.ts";

/** Everything that is promised of one compaction, each fault a sentence. */
export async function compactionFaults(
  { format, body, pins }: GeneratedConversation,
  target: number | `${number}%`,
  asText: boolean,
): Promise<readonly string[]> {
  const faults: string[] = [];
  const input = asText ? JSON.stringify(body) : body;
  const value = asText ? JSON.parse(input as string) : body;
  const before = readConversation(value, { format });
  const compactor = createCompactor({ format });
  const { output, report, conversation, plan } = await compactor.compact(input, { target, pins });
  if (report.error) {
    if (report.error.code !== "TARGET_UNREACHABLE")
      faults.push(`${report.error.code}: ${report.error.message}`);
    const floor = independentFloor(before, pins);
    const ceiling = "targetTokens" in report.error ? (report.error.targetTokens as number) : 0;
    if (ceiling >= floor) faults.push(`refused ${ceiling}, the floor is ${floor}: ${report.error.message}`);
    if (output !== input) faults.push("an error changed the conversation");
    return faults;
  }
  if (!report.compacted) return output === input ? [] : ["nothing was done, and yet the output differs"];
  const again = compactor.plan(input, { target, pins });
  if (JSON.stringify(again) !== JSON.stringify(plan)) faults.push("planning twice gave two plans");
  if (plan.passes > 5) faults.push(`${plan.passes} passes`);
  const written = asText ? JSON.parse(output as string) : output;
  const [listBefore, listAfter] = [value, written].map((each) =>
    Array.isArray(each) ? each : each.messages,
  );
  const after = readConversation(written, { format });
  const counter = createTokenCounter();
  if (counter.conversation(after) > counter.conversation(before)) faults.push("tokens grew");
  const ceiling = plan.targetTokens;
  if (report.tokensAfter > ceiling) faults.push(`the report says ${report.tokensAfter}, over ${ceiling}`);
  if (format === "openai-chat") {
    const tokens = wireTokens(listBefore, listAfter);
    if (tokens > ceiling) faults.push(`${tokens} tokens on the wire, over ${ceiling}`);
  }
  const left = after.messages.reduce(
    (sum, each) => sum + (each.role === "system" ? 0 : counter.message(each)),
    0,
  );
  if (left > ceiling) faults.push(`${left} tokens read back, over ${ceiling}`);
  // Parts are compared by identity, and text is read anew every time; the engine has checked its own reading.
  if (!asText) faults.push(...violations(before.messages, conversation.messages));
  for (const fault of newWireFaults(format, value, written)) {
    // What is pinned may come to stand beside a message of the same role; providers join the two.
    if (!(fault.startsWith("same role twice") && plan.regions.pinned.length > 0)) faults.push(fault);
  }
  for (const message of conversation.messages) {
    if (message.changed || message.raw === undefined || message.role === "system") continue;
    const stands = asText
      ? (output as string).includes(message.raw.source!)
      : listAfter.includes(message.raw.value);
    if (!stands) faults.push(`message ${message.position} is untouched and yet not the one that came in`);
  }
  const next = await compactor.compact(output, { target: ceiling, pins: [] });
  if (next.output !== output) faults.push("what fits was compacted again");
  return faults;
}
