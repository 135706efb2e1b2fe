/** Condensations: how OpenHands itself forgets events and keeps a summary of them, read and written. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import type { Changes, Said, Writing } from "./transcript.ts";

/** What a condensation says: under `args` in the older events, at the top in those of the SDK. */
export function condensationOf(event: WireObject): WireObject | undefined {
  if (event.kind === "Condensation") return event;
  return event.action === "condensation" && isObject(event.args) ? event.args : undefined;
}

export function forgottenBy(event: WireObject): readonly unknown[] {
  const condensation = condensationOf(event);
  if (condensation === undefined) return [];
  const {
    forgotten_event_ids: ids,
    forgotten_events_start_id: start,
    forgotten_events_end_id: end,
  } = condensation;
  if (Array.isArray(ids)) return ids;
  if (typeof start !== "number" || typeof end !== "number") return [];
  return Array.from({ length: Math.max(0, end - start + 1) }, (_, index) => start + index);
}

export function summarySaid(events: readonly WireObject[], record: number): readonly Said[] {
  const text = firstText(condensationOf(events[record] ?? {})?.summary);
  if (text === "") return [];
  const path = events[record]!.kind === "Condensation" ? ["summary"] : ["args", "summary"];
  return [{ role: "user", pieces: [{ kind: "text", text, record, path }] }];
}

/** A condensation that forgets nothing more, since what is forgotten is gone, and says where its summary is. */
export function composeOpenHands({ reading, removed, told, newId }: Writing): Changes {
  const events = reading.records.map(({ value }) => (isObject(value) ? value : {}));
  const forgotten = new Set(events.flatMap(forgottenBy));
  const shown = events.flatMap((event, record) =>
    forgotten.has(event.id) || removed.has(record) ? [] : [record],
  );
  const ids = events.flatMap(({ id }) => (typeof id === "number" ? [id] : []));
  const last = Math.max(-1, ...ids);
  return {
    inserts: told.map(({ text, before, after }, index) => {
      const near = events[before ?? after ?? 0] ?? {};
      const offset = shown.filter((record) => before === undefined || record < before).length;
      const condensation = { forgotten_event_ids: [], summary: text, summary_offset: offset };
      return { value: eventLike(near, text, condensation, last + 1 + index, newId), before, after };
    }),
  };
}

/** In the manner of the events around it; the oldest files have no ids and know no condensation. */
function eventLike(
  near: WireObject,
  text: string,
  condensation: WireObject,
  id: number,
  newId: () => string,
): WireObject {
  const { timestamp } = near;
  if ("kind" in near) {
    return {
      kind: "Condensation",
      id: newId(),
      timestamp,
      source: "environment",
      ...condensation,
      llm_response_id: newId(),
    };
  }
  if (!("id" in near))
    return {
      content: text,
      images_urls: null,
      wait_for_response: false,
      action: "message",
      action_risk: null,
    };
  return {
    id,
    timestamp,
    source: "agent",
    message: "Condensation",
    action: "condensation",
    args: condensation,
  };
}
