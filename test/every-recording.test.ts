/** Every recorded conversation, in both wire formats, at four targets and at the floor. A sample by seed; all of them with PITH_FULL=1, and where there are ten. */
import { expect, test } from "vitest";
import { createCompactor } from "../src/compactor.ts";
import type { Conversation } from "../src/conversation/conversation.ts";
import { convertConversation } from "../src/providers/convert.ts";
import { readConversation, writeConversation } from "../src/providers/detect.ts";
import { violations } from "../src/run/plan-for.ts";
import { bodyOf } from "../src/run/result.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import { signs } from "./planner-signs.ts";
import { hasAllRecordings, recordings } from "./recordings.ts";
import { newWireFaults } from "./wire-faults.ts";

const targets = [50, 30, 10, 3] as const;
const full = Boolean(process.env.PITH_FULL);
const seed = Number(process.env.PITH_SEED ?? 1);

/** The share of each source that a plain test run takes: enough of every kind, under half a minute in all. */
const shares: Readonly<Record<string, number>> = {
  "coding-sessions": 0.06,
  "derived-openai": 0.15,
  livemcpbench: 0.25,
  "tau-bench-airline": 0.25,
  "openhands-llm-log": 1,
  "cline-session": 1,
  "claude-code-log": 0.3,
  "claude-code-oh-my-posh": 0.2,
};

for (const [source, share] of Object.entries(shares)) {
  test(
    `compacts the recordings of ${source} to 50, 30, 10 and 3 % and to the floor without a fault`,
    async () => {
      const faults: string[] = [];
      let taken = 0;
      for await (const { id, format, messages } of recordings([source])) {
        if (!full && hasAllRecordings && !isDrawn(id, share)) continue;
        taken++;
        const text = JSON.stringify(messages);
        faults.push(...identityFaults(id, text, messages, format));
        faults.push(...(await compactionFaults(`${id} ${format}`, text, format)));
        if (format === "openai-chat") {
          const converted = writeConversation(
            convertConversation(readConversation(text, { format }), "anthropic-messages"),
          );
          const body = JSON.stringify(converted);
          faults.push(...identityFaults(id, body, converted, "anthropic-messages"));
          faults.push(...(await compactionFaults(`${id} as anthropic-messages`, body, "anthropic-messages")));
        }
      }
      expect(faults).toEqual([]);
      expect(taken).toBeGreaterThan(0);
    },
    full ? 3_600_000 : 300_000,
  );
}

function identityFaults(id: string, text: string, value: unknown, format: string): readonly string[] {
  const faults: string[] = [];
  if (writeConversation(readConversation(text, { format })) !== text)
    faults.push(`${id}: text changed by reading and writing`);
  const written = writeConversation(readConversation(value, { format }));
  if (JSON.stringify(written) !== text) faults.push(`${id}: value changed by reading and writing`);
  const isPlain = !text.includes('"tool_');
  if (!isPlain && readConversation(text).format !== format) faults.push(`${id}: detected as another format`);
  return faults;
}

async function compactionFaults(id: string, text: string, format: string): Promise<readonly string[]> {
  const value = JSON.parse(text);
  const before = readConversation(value, { format });
  const tokensBefore = countedTokens(before, before);
  const compactor = createCompactor({ target: "50%", format });
  const faults: string[] = [];
  const floor = signs.floor(before);
  const wanted = targets.map((percent) => Math.floor((tokensBefore * percent) / 100));
  for (const [order, targetTokens] of [...wanted, Math.min(floor, tokensBefore)].entries()) {
    const say = (fault: string): number =>
      faults.push(`${id} to ${targetTokens} of ${tokensBefore}: ${fault}`);
    // Half of the runs give text and half the value; what was read from the same value can be compared by identity.
    const input = order % 2 === 0 ? text : value;
    const result = await compactor.compact(input, { target: targetTokens });
    const { report, conversation } = result;
    const output = bodyOf(result);
    if (report.error) {
      if (report.error.code !== "TARGET_UNREACHABLE") say(`${report.error.code}: ${report.error.message}`);
      else if (targetTokens >= floor) say(`refused at or above the floor: ${report.error.message}`);
      if (output !== input) say("an error changed the conversation");
      continue;
    }
    const after = readConversation(output, { format });
    const tokensAfter = countedTokens(before, after);
    if (tokensAfter > targetTokens) say(`${tokensAfter} tokens are over the target of ${targetTokens}`);
    // Two texts of one message may be written as one string, which can cost a little less than the two.
    const joined = conversation.messages.filter(({ changed, parts }) => changed && parts.length > 1).length;
    if (report.tokensAfter < tokensAfter || report.tokensAfter > tokensAfter + Math.max(4, 2 * joined)) {
      say(`the report says ${report.tokensAfter} tokens, there are ${tokensAfter}`);
    }
    if (input === value) for (const fault of violations(before.messages, conversation.messages)) say(fault);
    const written = input === value ? output : JSON.parse(output as string);
    for (const fault of newWireFaults(format, value, written)) say(fault);
  }
  return faults;
}

/** As --target counts: a system message that went through unchanged is not in it, of a changed one what was added. */
function countedTokens(before: Conversation, after: Conversation): number {
  const counter = createTokenCounter();
  const systems = before.messages.filter((message) => message.role === "system");
  const same = new Set(systems.map((message) => JSON.stringify(message.parts)));
  let tokens = 0;
  let order = 0;
  for (const message of after.messages) {
    if (message.role !== "system") {
      tokens += counter.message(message);
    } else if (!same.has(JSON.stringify(message.parts))) {
      const original = systems[order];
      tokens += counter.message(message) - (original ? counter.message(original) : 0);
    }
    if (message.role === "system") order++;
  }
  return tokens;
}

/** The same draw for the same seed, whatever else is in the data. */
function isDrawn(id: string, share: number): boolean {
  let hash = 2166136261 ^ seed;
  for (const character of id) hash = Math.imul(hash ^ character.codePointAt(0)!, 16777619);
  return ((hash ^ (hash >>> 15)) >>> 0) / 2 ** 32 < share;
}
