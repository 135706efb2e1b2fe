/** Body view: a request body that already is in a wire format; its system prompt is the first message of the history. */

import type { Message } from "../conversation/message.ts";
import type { WireObject } from "../json/wire-value.ts";
import { formatNamed } from "../providers/detect.ts";
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
      const places = new Map(given.map((message, index) => [message, index]));
      const origins = originsOf(items, result.conversation.messages);
      const placed = items.map(
        (message, at): Placed<unknown> => ({
          message,
          from: places.get(message) ?? places.get(origins[at]) ?? -1,
        }),
      );
      const [first] = given;
      if (!isSystemMessage(first)) return placed;
      const isSame = JSON.stringify(written[system]) === JSON.stringify(first[SYSTEM]);
      return [{ message: isSame ? first : { [SYSTEM]: written[system] }, from: 0 }, ...placed];
    },
  };
}

/** What each written message was made of, where the format writes one for each; a system prompt beside them leads. */
function originsOf(items: readonly unknown[], messages: readonly Message[]): readonly unknown[] {
  const said = messages.slice(messages.length - items.length);
  const isOneForEach = said.every(
    ({ raw, changed }, at) => changed || raw === undefined || raw.value === items[at],
  );
  return isOneForEach ? said.map(({ raw }) => raw?.value) : [];
}

function roleOf(message: unknown): unknown {
  return typeof message === "object" && message !== null && "role" in message ? message.role : undefined;
}
