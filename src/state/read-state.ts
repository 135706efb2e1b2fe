/** readState: checks a state that comes back from a caller's checkpoint. */

import { checkStored, type StoredFields } from "../json/check-stored.ts";
import { readLedger } from "../ledger/read-ledger.ts";
import { readLessons } from "../weights/lessons.ts";
import { type CompactionState, initialState } from "./compaction-state.ts";
import { readSummarizerState } from "./summarizer-state.ts";

/**
 * Absent: the initial state. Otherwise a state of version 1 with every field in order, or OptionsError naming the
 * field. Fields this version does not know are left out.
 */
export function readState(value: unknown): CompactionState {
  if (value === undefined || value === null) return initialState;
  const {
    conversation,
    conversationId = conversation,
    ...state
  } = checkStored("state", value, STATE) as Stored;
  return conversationId === undefined ? state : { ...state, conversationId };
}

/** Earlier releases called the conversation's id `conversation`. */
type Stored = CompactionState & { readonly conversation?: string };

const MOST_RESULTS = 8;

const STATE: StoredFields = {
  fields: {
    version: { version: 1 },
    compactions: "count",
    strikes: "count",
    recentResults: {
      each: { fields: { at: "count", tokensBefore: "count", tokensAfter: "count" } },
      most: MOST_RESULTS,
    },
    "lastAttemptAt?": "count",
    "blockedUntil?": "count",
    "blockedReason?": "text",
    "blockEndsAtTokens?": "count",
    "rearmTokens?": "count",
    "actedOnUsage?": "count",
    "model?": "text",
    "honouredRequest?": "text",
    "summarizer?": readSummarizerState,
    "conversationId?": "text",
    "conversation?": "text",
    "lastCompaction?": "text",
    "handoff?": "text",
    "ledger?": readLedger,
    "lessons?": readLessons,
    "systemNoted?": "flag",
    "pendingVerdict?": { fields: { thresholdTokens: "count" } },
    "anchor?": { fields: { promptTokens: "count", messages: "count" } },
  },
};
