/** openhands: the event stream of OpenHands, as a list, as lines, or as the `history` of an evaluation's output. */
import { firstText, isObject, type WireObject } from "../json/wire-value.ts";
import { composeOpenHands, condensationOf, forgottenBy, summarySaid } from "./openhands-condensation.ts";
import { eventIsKnown, readEvent, responseId } from "./openhands-events.ts";
import { elementRecords, gather, isHandoff, lineRecords, withFollowers } from "./reading.ts";
import type { SourceText } from "./source-text.ts";
import type {
  FileRecord,
  Problem,
  ReadingOptions,
  Said,
  TranscriptFormat,
  TranscriptPiece,
  TranscriptReading,
} from "./transcript.ts";

/** Of an output file with several runs the longest is read; the others are left alone and named as problems. */
export const openHands: TranscriptFormat = {
  name: "openhands",
  tells: (line) => eventIsKnown(line) || hasHistory(line),
  detect: ({ json }) => {
    const whole = json();
    return Array.isArray(whole) && whole.some(eventIsKnown) ? 0.95 : 0;
  },
  read,
  timeOf: ({ timestamp }) => timestamp,
  compose: composeOpenHands,
};

function hasHistory({ history }: WireObject): boolean {
  return Array.isArray(history) && history.some(eventIsKnown);
}

function read(source: SourceText, { whole }: ReadingOptions): TranscriptReading {
  const { records, problems } = eventRecords(source);
  const events = records.map(({ value }) => (isObject(value) ? value : {}));
  const forgotten = new Set(whole ? [] : events.flatMap(forgottenBy));
  const told = events.findLastIndex((event) => {
    const summary = firstText(condensationOf(event)?.summary);
    return whole ? isHandoff(summary) : summary !== "";
  });
  const shown = events.flatMap((event, record) => (forgotten.has(event.id) ? [] : [record]));
  const said: Said[] = [];
  const replies: Replies = new Map();
  const offset = Number(condensationOf(events[told] ?? {})?.summary_offset ?? shown.length);
  shown.forEach((record, order) => {
    if (order === offset) said.push(...summarySaid(events, told));
    said.push(...joinReply(replies, events[record]!, readEvent(events, record)));
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

type Replies = Map<unknown, TranscriptPiece[]>;

/** The actions of one reply are one message, however far apart they are: OpenHands sends them together or not at all. */
function joinReply(replies: Replies, event: WireObject, said: readonly Said[]): readonly Said[] {
  const id = "action" in event ? (responseId(event) ?? event.llm_response_id) : undefined;
  const [first] = said;
  if (id === undefined || first?.role !== "assistant") return said;
  const known = replies.get(id);
  if (known !== undefined) {
    known.push(...first.pieces);
    return [];
  }
  const pieces = [...first.pieces];
  replies.set(id, pieces);
  return [{ role: "assistant", pieces }];
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
