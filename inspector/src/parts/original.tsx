/** Original: what the archive has under an id, line by line, a page at a time, with what was masked in it. */
import { useEffect, useState } from "preact/hooks";
import type { ItemView } from "../../../src/inspect/views.ts";
import { kindWords } from "../fill.ts";
import { source } from "../source.ts";
import { count, time } from "../words.ts";
import { LongText } from "./long-text.tsx";

const step = 400;

export function Original({ id }: { readonly id: string }) {
  const [item, setItem] = useState<ItemView>();
  const [fault, setFault] = useState<string>();
  const more = async (from: number, isGone: () => boolean = () => false) => {
    try {
      const page = await source.item(id, from, step);
      if (!isGone())
        setItem((now) =>
          from > 0 && now ? { ...page, from: 0, lines: [...now.lines, ...page.lines] } : page,
        );
    } catch (cause) {
      if (!isGone()) setFault((cause as Error).message);
    }
  };
  useEffect(() => {
    let gone = false;
    setItem(undefined);
    setFault(undefined);
    void more(0, () => gone);
    return () => {
      gone = true;
    };
  }, [id]);
  if (fault !== undefined) return <p class="fault">{fault}</p>;
  if (!item) return <p class="note">Loading the original …</p>;
  const left = item.total - item.lines.length;
  return (
    <div class="original">
      {item.forgotten !== undefined && <p class="note">Erased on {time(item.forgotten)}.</p>}
      {item.masked.length > 0 && <p class="note">Masked secrets: {item.masked.join(", ")}.</p>}
      {piecesOf(item).map(({ line, heading, text }) => (
        <section key={line}>
          {heading && <p class="piece-head">{heading}</p>}
          <LongText text={text} />
        </section>
      ))}
      {left > 0 && (
        <button type="button" onClick={() => more(item.lines.length)}>
          Show more lines ({count(left)} left)
        </button>
      )}
    </div>
  );
}

function piecesOf({ lines, pieces }: ItemView): readonly { line: number; heading?: string; text: string }[] {
  if (pieces.length === 0) return lines.length > 0 ? [{ line: 0, text: lines.join("\n") }] : [];
  return pieces
    .filter(({ line }) => line < lines.length)
    .map(({ line, kind, tool }, order) => ({
      line,
      heading: tool === undefined ? kindWords[kind] : `${kindWords[kind]}: ${tool}`,
      text: lines.slice(line, pieces[order + 1]?.line ?? lines.length).join("\n"),
    }));
}
