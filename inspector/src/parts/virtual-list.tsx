/**
 * VirtualList: a long list of rows of one height, of which only those in sight are in the page. Arrow keys, Page Up and Down,
 * Home and End move between rows; each row has one main button, marked `data-row-button`, that takes the focus.
 */
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

export interface VirtualListProps {
  readonly label: string;
  readonly count: number;
  readonly rowHeight: number;
  /** Rows in sight at most; the list is shorter where it has fewer. */
  readonly maxHeight: string;
  readonly renderRow: (index: number, isActive: boolean) => ComponentChildren;
  /** Told when other rows came into sight. */
  readonly onRange?: (from: number, to: number) => void;
  /** The list brings this row into sight whenever the object is another one. */
  readonly scrollTo?: { readonly row: number } | undefined;
}

const overscan = 6;

export function VirtualList(props: VirtualListProps) {
  const { label, count, rowHeight, maxHeight, renderRow, onRange, scrollTo } = props;
  const box = useRef<HTMLDivElement>(null);
  const [range, setRange] = useState({ from: 0, to: 0 });
  const [active, setActive] = useState(0);
  const takesFocus = useRef(false);

  // Rows come with the second frame, when the observer tells the size: what stands around the list does not wait for them.
  useEffect(() => {
    const element = box.current!;
    const update = () => {
      const from = Math.max(0, Math.floor(element.scrollTop / rowHeight) - overscan);
      const to = Math.min(
        count,
        Math.ceil((element.scrollTop + element.clientHeight) / rowHeight) + overscan,
      );
      setRange((now) => (now.from === from && now.to === to ? now : { from, to }));
    };
    const resized = new ResizeObserver(update);
    resized.observe(element);
    element.addEventListener("scroll", update, { passive: true });
    return () => {
      resized.disconnect();
      element.removeEventListener("scroll", update);
    };
  }, [count, rowHeight]);

  useLayoutEffect(() => onRange?.(range.from, range.to), [range, count]);

  useLayoutEffect(() => {
    if (!scrollTo) return;
    const element = box.current!;
    const top = scrollTo.row * rowHeight;
    const isInSight = top >= element.scrollTop && top + rowHeight <= element.scrollTop + element.clientHeight;
    if (!isInSight) element.scrollTop = Math.max(0, top - (element.clientHeight - rowHeight) / 2);
    setActive(scrollTo.row);
  }, [scrollTo]);

  useLayoutEffect(() => {
    if (!takesFocus.current) return;
    takesFocus.current = false;
    box.current?.querySelector<HTMLElement>(`[data-row="${active}"] [data-row-button]`)?.focus({
      preventScroll: true,
    });
  });

  const moveTo = (row: number) => {
    const next = Math.max(0, Math.min(count - 1, row));
    const element = box.current!;
    const [top, bottom] = [next * rowHeight, (next + 1) * rowHeight];
    if (top < element.scrollTop) element.scrollTop = top;
    if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight;
    takesFocus.current = true;
    setActive(next);
    // Also where the row did not change: the focus may be on the list itself.
    setRange((now) => ({ ...now }));
  };

  const onKeyDown = (event: KeyboardEvent) => {
    const page = Math.max(1, Math.floor(box.current!.clientHeight / rowHeight) - 1);
    const moves: Readonly<Record<string, number>> = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: 0,
      End: count - 1,
    };
    const row = event.target === box.current && event.key === "ArrowDown" ? active : moves[event.key];
    if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    moveTo(row);
  };

  const rows = Array.from({ length: Math.max(0, range.to - range.from) }, (_, at) => range.from + at);
  // The row that has the focus stays in the page, or the focus would be lost.
  if (active < count && !rows.includes(active)) rows.push(active);

  return (
    <section
      class="virtual"
      ref={box}
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be within reach of the keyboard
      tabIndex={0}
      onKeyDown={onKeyDown}
      style={{ height: `min(${maxHeight}, ${count * rowHeight + 2}px)` }}
    >
      <ol class="virtual-space" style={{ height: `${count * rowHeight}px` }}>
        {rows.map((row) => (
          <li
            key={row}
            class="virtual-row"
            aria-setsize={count}
            aria-posinset={row + 1}
            data-row={row}
            onFocusIn={() => setActive(row)}
            style={{ height: `${rowHeight}px`, transform: `translateY(${row * rowHeight}px)` }}
          >
            {row < count && renderRow(row, row === active)}
          </li>
        ))}
      </ol>
    </section>
  );
}
