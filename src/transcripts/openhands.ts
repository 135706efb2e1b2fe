/** openhands: the event stream of OpenHands, as a list, as lines, or as the `history` of an evaluation's output. */
import { firstText, isObject, type WireObject } from "../formats/wire-value.ts";
import { eventIsKnown, readEvent } from "./openhands-events.ts";
import { elementRecords, gather, lineRecords, withFollowers } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type { Changes, FileRecord, Problem, Reading, Said, TranscriptFormat, Writing } from "./transcript.ts";

/** Of an output file with several runs the longest is read; the others are left alone and named as problems. */
export const openHands: TranscriptFormat = { name: "openhands", detect, read, compose };

function detect({ json, opening }: SourceText): number {
  const whole = json();
  if (Array.isArray(whole)) return whole.slice(0, 5).some(eventIsKnown) ? 0.95 : 0;
  return opening().some((line) => eventIsKnown(line) || hasHistory(line)) ? 0.95 : 0;
}

function hasHistory({ history }: WireObject): boolean {
  return Array.isArray(history) && history.some(eventIsKnown);
}

function read(source: SourceText): Reading {
  const { records, problems } = eventRecords(source);
  const events = records.map(({ value }) => (isObject(value) ? value : {}));
  const forgotten = new Set(events.flatMap(forgottenBy));
  const told = events.findLastIndex((event) => condensationOf(event)?.summary);
  const shown = events.flatMap((event, record) => (forgotten.has(event.id) ? [] : [record]));
  const said: Said[] = [];
  const offset = Number(condensationOf(events[told] ?? {})?.summary_offset ?? shown.length);
  shown.forEach((record, order) => {
    if (order === offset) said.push(...summarySaid(events, told));
    said.push(...readEvent(events, record));
  });
  if (offset >= shown.length) said.push(...summarySaid(events, told));
  const spoken = gather(said);
  const model = events.map(modelOf).findLast(Boolean) ?? "";
  return {
    records: withFollowers(records, spoken, isFree),
    said: spoken,
    problems,
    ...(model !== "" && { model }),
  };
}

function eventRecords(source: SourceText): {
  readonly records: readonly FileRecord[];
  readonly problems: readonly Problem[];
} {
  if (Array.isArray(source.json())) return elementRecords(source, [{ path: [] }]);
  const lines = lineRecords(source);
  const runs = isObject(source.json())
    ? [{ start: source.text.indexOf("{"), value: source.json() as WireObject }].filter(({ value }) =>
        hasHistory(value),
      )
    : lines.records.filter(({ value }) => hasHistory(value));
  if (runs.length === 0) return lines;
  const length = ({ value }: { readonly value: WireObject }) => (value.history as readonly unknown[]).length;
  const longest = runs.reduce((best, run) => (length(run) > length(best) ? run : best));
  const { records, problems } = elementRecords(source, [{ path: ["history"], root: longest }]);
  const others = source.lines().flatMap(({ number, value, start }): readonly Problem[] =>
    value && start !== longest.start && hasHistory(value)
      ? [
          {
            line: number,
            message: `This line is another run, of ${length({ value })} events; it was passed over.`,
          },
        ]
      : [],
  );
  const bad = isObject(source.json()) ? [] : lines.problems;
  return { records, problems: [...bad, ...others, ...problems].toSorted((a, b) => a.line - b.line) };
}

/** What a condensation says: under `args` in the older events, at the top in those of the SDK. */
function condensationOf(event: WireObject): WireObject | undefined {
  if (event.kind === "Condensation") return event;
  return event.action === "condensation" && isObject(event.args) ? event.args : undefined;
}

function forgottenBy(event: WireObject): readonly unknown[] {
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

function summarySaid(events: readonly WireObject[], record: number): readonly Said[] {
  const text = firstText(condensationOf(events[record] ?? {})?.summary);
  if (text === "") return [];
  const path = events[record]!.kind === "Condensation" ? ["summary"] : ["args", "summary"];
  return [{ role: "user", pieces: [{ kind: "text", text, record, path }] }];
}

function modelOf({ llm_metrics: metrics, tool_call_metadata: metadata }: WireObject): string {
  const usage =
    isObject(metrics) && isObject(metrics.accumulated_token_usage) ? metrics.accumulated_token_usage : {};
  const response = isObject(metadata) && isObject(metadata.model_response) ? metadata.model_response : {};
  return firstText(response.model, usage.model);
}

/** States, recalls and other events that the model does not read. */
function isFree({ value }: FileRecord): boolean {
  return isObject(value) && condensationOf(value) === undefined;
}

/** A condensation that forgets nothing more, since what is forgotten is gone, and says where its summary stands. */
function compose({ reading, removed, told, newId }: Writing): Changes {
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
