/** All invariants: the planner takes the cuts that every one of them allows, and every result is checked against all. */
import type { Message } from "../../conversation/message.ts";
import { argumentsStayJson } from "./arguments-stay-json.ts";
import { completedTurnsStayWhole } from "./completed-turns-stay-whole.ts";
import { inFlightCallsStay } from "./in-flight-calls-stay.ts";
import type { Invariant } from "./invariant.ts";
import { pinnedMessagesStay } from "./pinned-messages-stay.ts";
import { placedMessagesFit } from "./placed-messages-fit.ts";
import { rolesAlternate } from "./roles-alternate.ts";
import { signedReasoningUntouched } from "./signed-reasoning-untouched.ts";
import { systemPromptStays } from "./system-prompt-stays.ts";
import { toolPairsStayTogether } from "./tool-pairs-stay-together.ts";
import { askSurvives, userWordsSurvive } from "./user-words-survive.ts";

export const invariants: readonly Invariant[] = [
  toolPairsStayTogether,
  inFlightCallsStay,
  completedTurnsStayWhole,
  argumentsStayJson,
  signedReasoningUntouched,
  systemPromptStays,
  pinnedMessagesStay,
  rolesAlternate,
  placedMessagesFit,
  userWordsSurvive,
];

/** May a cut be made before `index`? */
export function allowsCut(messages: readonly Message[], index: number): boolean {
  return invariants.every((invariant) => invariant.allowsCut?.(messages, index) ?? true);
}

/** Every rule that a compaction from `before` to `after` has broken; empty when all hold. */
export function violations(
  before: readonly Message[],
  after: readonly Message[],
  { carriesRules = true } = {},
): readonly string[] {
  const rules = carriesRules
    ? invariants
    : invariants.map((rule) => (rule === userWordsSurvive ? askSurvives : rule));
  return brokenBy(rules, before, after);
}

export function brokenBy(
  rules: readonly Invariant[],
  before: readonly Message[],
  after: readonly Message[],
): readonly string[] {
  return rules.flatMap(({ name, broken }) =>
    (broken?.(before, after) ?? []).map((fault) => `${name}: ${fault}`),
  );
}
