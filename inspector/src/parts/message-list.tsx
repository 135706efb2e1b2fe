/** MessageList: everything that was ever said in a conversation; a row opens the whole message. */
import { useMemo, useState } from "preact/hooks";
import { rowHeight } from "../media.ts";
import { type MessagePages, messagePages } from "../message-pages.ts";
import { count, time } from "../words.ts";
import { Original } from "./original.tsx";
import { PagedSheet } from "./paged-sheet.tsx";
import { Side, whoSays } from "./side.tsx";
import { VirtualList } from "./virtual-list.tsx";

interface MessageListProps {
  readonly conversation: string;
  readonly total: number;
  readonly scrollTo?: { readonly row: number } | undefined;
}

export function MessageList({ conversation, total, scrollTo }: MessageListProps) {
  const pages = useMemo(() => messagePages(conversation), [conversation]);
  const [open, setOpen] = useState<number | undefined>(undefined);
  return (
    <>
      <VirtualList
        label="Everything that was said"
        count={total}
        rowHeight={rowHeight({ narrow: 68, wide: 52 })}
        maxHeight="70vh"
        scrollTo={scrollTo}
        onRange={pages.need}
        renderRow={(row, isActive) => {
          const message = pages.at(row);
          return (
            <button
              type="button"
              class={scrollTo?.row === row ? "row lit" : "row"}
              data-row-button
              tabIndex={isActive ? 0 : -1}
              onClick={() => setOpen(row)}
            >
              {message ? <Side side={message} /> : <span class="note">#{row}</span>}
            </button>
          );
        }}
      />
      {open !== undefined && (
        <MessageSheet
          pages={pages}
          at={open}
          total={total}
          onMove={setOpen}
          onClose={() => setOpen(undefined)}
        />
      )}
    </>
  );
}

interface MessageSheetProps {
  readonly pages: MessagePages;
  readonly at: number;
  readonly total: number;
  readonly onMove: (to: number) => void;
  readonly onClose: () => void;
}

function MessageSheet({ pages, at, total, onMove, onClose }: MessageSheetProps) {
  const message = pages.at(at);
  const move = (to: number) => {
    pages.need(to, to + 1);
    onMove(to);
  };
  return (
    <PagedSheet title={`Message ${count(at)}`} onClose={onClose} at={at} total={total} onMove={move}>
      {message && (
        <>
          <p class="note">
            {whoSays(message)}
            {message.tools.length > 0 && ` · ${message.tools.join(", ")}`} · {count(message.tokens)} tokens ·{" "}
            {count(message.chars)} characters · {time(message.at)}
          </p>
          <Original id={message.id} />
        </>
      )}
    </PagedSheet>
  );
}
