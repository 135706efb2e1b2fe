/** Conversations: all of them in a list that can be sorted and narrowed; rows change by themselves where traffic is live. */
import { useEffect, useMemo, useState } from "preact/hooks";
import type { ConversationRow } from "../../../src/inspect/views.ts";
import { moveFocus } from "../arrow-keys.ts";
import { useLoaded } from "../loaded.ts";
import { PageHead } from "../parts/page-head.tsx";
import { StateNote } from "../parts/state-note.tsx";
import { linkTo } from "../router.ts";
import { session } from "../session.ts";
import { source } from "../source.ts";
import { visibleText } from "../visible-text.ts";
import { count, many, share, time } from "../words.ts";

type Column = "id" | "messages" | "tokens" | "fill" | "compactions" | "recallUsed" | "errors" | "lastAt";

const columns: readonly { readonly by: Column; readonly words: string; readonly wide?: boolean }[] = [
  { by: "id", words: "Conversation" },
  { by: "messages", words: "Messages", wide: true },
  { by: "tokens", words: "Tokens" },
  { by: "fill", words: "Fill" },
  { by: "compactions", words: "Compactions", wide: true },
  { by: "recallUsed", words: "Recall used", wide: true },
  { by: "errors", words: "Errors", wide: true },
  { by: "lastAt", words: "Last active", wide: true },
];
const step = 200;

export function Conversations() {
  const loaded = useLoaded((signal) => source.conversations(signal), []);
  const [changed, setChanged] = useState<ReadonlyMap<string, ConversationRow>>(new Map());
  const [order, setOrder] = useState<{ by: Column; down: boolean }>({ by: "lastAt", down: true });
  const [part, setPart] = useState("");
  const [shown, setShown] = useState(step);
  useEffect(() => {
    if (!session.value?.live) return;
    return source.live((row) => setChanged((rows) => new Map(rows).set(row.id, row)));
  }, []);
  const rows = useMemo(() => {
    const all = new Map((loaded.value ?? []).map((row) => [row.id, row]));
    for (const [id, row] of changed) all.set(id, row);
    const wanted = part.toLowerCase();
    return sorted(
      [...all.values()].filter(({ id }) => id.toLowerCase().includes(wanted)),
      order,
    );
  }, [loaded.value, changed, order, part]);

  return (
    <>
      <PageHead title="Conversations" />
      <StateNote of={loaded} what="the conversations" />
      {loaded.value && (
        <>
          <div class="tools">
            <label>
              Name contains
              <input type="search" value={part} onInput={(event) => setPart(event.currentTarget.value)} />
            </label>
            <span class="note" role="status">
              {many(rows.length, "conversation")}
            </span>
          </div>
          <div class="table-box">
            <table class="conversations" onKeyDown={(event) => moveFocus(event, "tbody a")}>
              <caption class="unseen">All conversations; the headings sort them.</caption>
              <thead>
                <tr>
                  {columns.map(({ by, words, wide }) => (
                    <th key={by} scope="col" class={classOf(by, wide)} aria-sort={sortWord(by, order)}>
                      <button type="button" class="quiet" onClick={() => setOrder(next(by, order))}>
                        {words}
                        <span aria-hidden="true">{order.by === by ? (order.down ? " ↓" : " ↑") : ""}</span>
                      </button>
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.slice(0, shown).map((row) => (
                  <Row key={row.id} row={row} />
                ))}
              </tbody>
            </table>
          </div>
          {rows.length > shown && (
            <button type="button" onClick={() => setShown(shown + step)}>
              Show more ({count(rows.length - shown)} left)
            </button>
          )}
        </>
      )}
    </>
  );
}

function Row({ row }: { readonly row: ConversationRow }) {
  return (
    <tr>
      <th scope="row">
        <a href={linkTo({ view: "conversation", id: row.id })} dir="auto">
          {visibleText(row.id)}
        </a>
        <small class="narrow">
          {many(row.messages, "message")}, {many(row.compactions, "compaction")}
        </small>
      </th>
      <td class="wide number">{count(row.messages)}</td>
      <td class="number">{row.tokens === undefined ? "…" : count(row.tokens)}</td>
      <td>{row.fill === undefined ? "–" : <FillBar fill={row.fill} />}</td>
      <td class="wide number">{count(row.compactions)}</td>
      <td class="wide number">{row.recallUsed === undefined ? "–" : count(row.recallUsed)}</td>
      <td class="wide number" title={row.lastError}>
        {row.errors ? <b class="bad">{count(row.errors)}</b> : (row.errors ?? "–")}
      </td>
      <td class="wide">{time(row.lastAt)}</td>
    </tr>
  );
}

function FillBar({ fill }: { readonly fill: number }) {
  return (
    <span class="fill">
      <i style={{ width: `${Math.min(100, fill * 100)}%` }} />
      <span>{share(fill)}</span>
    </span>
  );
}

function classOf(by: Column, wide: boolean | undefined): string {
  const isNumber = by !== "id" && by !== "fill" && by !== "lastAt";
  return [wide && "wide", isNumber && "number"].filter(Boolean).join(" ");
}

function next(by: Column, order: { by: Column; down: boolean }): { by: Column; down: boolean } {
  return order.by === by ? { by, down: !order.down } : { by, down: by !== "id" };
}

function sortWord(by: Column, order: { by: Column; down: boolean }): "ascending" | "descending" | "none" {
  if (order.by !== by) return "none";
  return order.down ? "descending" : "ascending";
}

/** What is not known stands last, either way. */
function sorted(
  rows: readonly ConversationRow[],
  { by, down }: { by: Column; down: boolean },
): readonly ConversationRow[] {
  const sign = down ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [x, y] = [a[by], b[by]];
    if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined);
    if (typeof x === "string") return sign * x.localeCompare(String(y));
    return sign * (x - Number(y));
  });
}
