import { expect, test } from "vitest";
import { countedTokens, systemTexts } from "../measure/sizes.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import { recentWithin } from "./keep-recent.ts";

const call = { id: "1", function: { name: "read", arguments: '{"path":"src/a.ts"}' } };
const messages: readonly WireMessage[] = [
  { role: "system", content: "You are an agent." },
  { role: "user", content: "Read it." },
  { role: "assistant", content: "", tool_calls: [call] },
  { role: "tool", tool_call_id: "1", content: "a few lines of text" },
  { role: "assistant", content: "Done." },
];

test("what is kept fits, system messages stay, and no answer stays without its call", () => {
  const given = systemTexts(messages);
  for (let target = 0; target < countedTokens(messages, given); target++) {
    const kept = recentWithin(messages, target);
    expect(countedTokens(kept, given)).toBeLessThanOrEqual(target);
    expect(kept[0]?.role).toBe("system");
    expect(kept[1]?.role).not.toBe("tool");
  }
});
