/** LongText: text of any length as text; of a very long one a part at a time, so that the page stays quick. */
import { useState } from "preact/hooks";
import { cutText, visibleText } from "../visible-text.ts";
import { count } from "../words.ts";

const step = 12_000;

export function LongText({ text }: { readonly text: string }) {
  const [length, setLength] = useState(step);
  const shown = cutText(text, length);
  const left = text.length - shown.length;
  return (
    <div class="long-text">
      {pieces(shown).map((piece, at) => (
        <pre key={at} class="text" dir="auto">
          {visibleText(piece)}
        </pre>
      ))}
      {left > 0 && (
        <button type="button" onClick={() => setLength(length + step)}>
          Show more ({count(left)} characters left)
        </button>
      )}
    </div>
  );
}

/** Cut at line ends near every 4,000 characters, or within a line that has none: a browser lays out short blocks quicker. */
function pieces(text: string): readonly string[] {
  const found: string[] = [];
  for (let rest = text; rest.length > 0; ) {
    const line = rest.length > 4000 ? rest.lastIndexOf("\n", 4000) : -1;
    const piece = line > 0 ? rest.slice(0, line + 1) : cutText(rest, 4000);
    found.push(piece);
    rest = rest.slice(piece.length);
  }
  return found;
}
