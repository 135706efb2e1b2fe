import { expect, test } from "vitest";
import type { ConversationRow } from "../inspect/views.ts";
import { createTraffic } from "./traffic.ts";

const row: ConversationRow = {
  id: "ann/talk",
  messages: 9,
  compactions: 1,
  firstAt: 1,
  lastAt: 2,
  window: 1_000,
  recallUsed: 1,
};

test("requests, recalls and failures that the archive does not know of stand on top of what it knows", () => {
  let now = 10;
  const traffic = createTraffic(() => now++);
  const passing = { api: "chat", tenant: "ann" } as const;
  const prepared = { outcome: "replayed", conversation: "ann/talk", tokensBefore: 400 } as const;
  traffic.note({ ...passing, status: 200, prepared, toolCalls: 2 });
  traffic.note({ ...passing, status: 503, prepared: { outcome: "replayed", conversation: "ann/talk" } });
  traffic.note({
    ...passing,
    status: 200,
    prepared: { ...prepared, outcome: "failed-open", reason: "The archive is full." },
  });
  traffic.note({ ...passing, status: 200 });
  expect(traffic.onTopOf([row, { ...row, id: "ann/other" }])).toEqual([
    {
      ...row,
      lastAt: 12,
      tokens: 400,
      fill: 0.4,
      recallUsed: 2,
      errors: 2,
      lastError: "The archive is full.",
    },
    { ...row, id: "ann/other" },
  ]);
});
