/** A turn that the user has moved on from is on one side of the cut, or its ask would look open and be redone (R12). */
import { turnsOf } from "../../conversation/turn.ts";
import type { Invariant } from "./invariant.ts";

export const completedTurnsStayWhole: Invariant = {
  name: "completed-turns-stay-whole",
  allowsCut: (messages, index) => {
    const turns = turnsOf(messages);
    const last = turns.at(-1);
    return last === undefined || index > last.start || turns.some((turn) => turn.start === index);
  },
};
