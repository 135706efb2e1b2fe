import { expect, test } from "vitest";
import { probesOf } from "./probes.ts";
import type { WireMessage } from "./wire-message.ts";

const system: WireMessage = { role: "system", content: "Work in repo_alpha." };
const past: readonly WireMessage[] = [
  system,
  { role: "user", content: "Fix src/parse.ts, ticket 48213, branch fix_parse." },
];

function probes(future: readonly WireMessage[], common: readonly string[] = []): readonly string[] {
  return probesOf({ past, future, stretch: [...past, ...future], common: new Set(common) });
}

test("what the assistant uses after the cut and only the past told it is a probe, in lower case", () => {
  expect(probes([{ role: "assistant", content: "Editing src/Parse.ts for 48213." }])).toEqual([
    "src/parse.ts",
    "48213",
  ]);
});

test("what somebody tells again before its use is none", () => {
  const told: WireMessage = { role: "tool", tool_call_id: "1", content: "48213 is open" };
  expect(probes([told, { role: "assistant", content: "48213 is open; fix_parse is next." }])).toEqual([
    "fix_parse",
  ]);
});

test("what a system message holds, what the source shares and what the past never had are none", () => {
  const said: WireMessage = { role: "assistant", content: "repo_alpha fix_parse new_name" };
  expect(probes([said], ["fix_parse"])).toEqual([]);
});

test("of a call the values count and the keys do not", () => {
  const call = { id: "1", function: { name: "edit", arguments: '{"fix_parse":"src/parse.ts"}' } };
  expect(probes([{ role: "assistant", content: "", tool_calls: [call] }])).toEqual(["src/parse.ts"]);
});
