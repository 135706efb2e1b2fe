/** Taking turns: notes between messages of one speaker, in the messages of SDKs. */
import { BRIDGE } from "../engine/bridges.ts";
import type { MessageKind } from "./message-view.ts";
import type { Placed } from "./sessions.ts";

/**
 * Which provider the SDK speaks to is not known here, and some want speakers to take turns, results being the user's: where
 * what was between two of one is left out, a note is put.
 */
export function takingTurns<Native>(
  placed: readonly Placed<Native>[],
  { roleOf: nativeRole, create }: MessageKind<Native>,
): readonly Placed<Native>[] {
  const speakerOf = ({ message }: Placed<Native>) => nativeRole(message).replace("tool", "user");
  return placed.flatMap((each, at) => {
    const before = placed[at - 1];
    const speaker = speakerOf(each);
    const stoodThere =
      before !== undefined && before.from >= 0 && each.from - before.from <= 1 && each.from >= 0;
    if (!before || stoodThere || speaker === "system" || speakerOf(before) !== speaker) return [each];
    return [{ message: create(speaker === "user" ? "assistant" : "user", BRIDGE), from: -1 }, each];
  });
}
