/** Body view: a request body that already is in a wire format; its system prompt is the first message of the history. */

import type { WireObject } from "../json/wire-value.ts";
import { formatNamed } from "../providers/detect.ts";
import { elementPlaces } from "../providers/element-places.ts";
import { bodyOf } from "../run/result.ts";
import type { Placed, View } from "./sessions.ts";

export interface BodyPlaces {
  readonly format: string;
  /** The key of the list of messages. */
  readonly list: string;
  /** The key of the system prompt beside them. */
  readonly system?: string;
}

/** The system prompt as a message. */
const SYSTEM = "pith:system";

export function withSystem(system: unknown, messages: readonly unknown[]): readonly unknown[] {
  return system === undefined || system === null ? messages : [{ [SYSTEM]: system }, ...messages];
}

/** The system prompt of a history, and the messages after it. */
export function systemApart(history: readonly unknown[]): readonly [system: unknown, ...messages: unknown[]] {
  const [first, ...rest] = history;
  return isSystemMessage(first) ? [first[SYSTEM], ...rest] : [undefined, ...history];
}

export function isSystemMessage(message: unknown): message is WireObject {
  return typeof message === "object" && message !== null && SYSTEM in message;
}

export function bodyView({ format, list, system = "system" }: BodyPlaces, body: WireObject): View<unknown> {
  return {
    format,
    isSystem: (message) => isSystemMessage(message) || roleOf(message) === "system",
    body: (history) => {
      const [prompt, ...messages] = systemApart(history);
      return { ...body, ...(prompt !== undefined && { [system]: prompt }), [list]: messages };
    },
    // Where the provider caches up to whatever comes last, a note that is gone with the next call would be in the way.
    noted: (message, note) => (body.cache_control ? message : formatNamed(format).noted(message, note)),
    messages: (result, given) => {
      const written = bodyOf(result) as WireObject;
      const items = written[list] as readonly unknown[];
      const [first] = given;
      const listed = isSystemMessage(first) ? 1 : 0;
      const places = elementPlaces(result.conversation);
      const placed = result.rewrite.flatMap(({ from }, at) => {
        const own = (places.read[from] ?? []).map((index) => index + listed);
        const now = places.written[at]!;
        return now.map((index): Placed<unknown> => {
          const message = items[index];
          const same = own.find((each) => given[each] === message);
          // What one element was made of is known; of several, only those that came through.
          const madeOf = own.length === 1 && now.length === 1 ? own[0] : undefined;
          return { message, from: same ?? madeOf ?? -1 };
        });
      });
      if (!isSystemMessage(first)) return placed;
      const isSame = JSON.stringify(written[system]) === JSON.stringify(first[SYSTEM]);
      return [{ message: isSame ? first : { [SYSTEM]: written[system] }, from: 0 }, ...placed];
    },
  };
}

function roleOf(message: unknown): unknown {
  return typeof message === "object" && message !== null && "role" in message ? message.role : undefined;
}
