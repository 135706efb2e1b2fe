/** Side: a message in a row: who says it, with which tools, how large it is, and how it begins. */
import type { SideView } from "../../../src/inspect/views.ts";
import { kindWords } from "../fill.ts";
import { cutText, visibleText } from "../visible-text.ts";
import { count } from "../words.ts";

export function Side({ side }: { readonly side: SideView }) {
  return (
    <span class="side">
      <span class="side-head">
        <i class="chip" style={{ background: `var(--kind-${side.kind})` }} />
        {side.position >= 0 && <span class="position">#{side.position}</span>}
        <b>{whoSays(side)}</b>
        {side.tools.length > 0 && <span class="tool">{visibleText(side.tools.join(", "))}</span>}
        <span class="tokens">{count(side.tokens)}</span>
      </span>
      <span class="side-text" dir="auto">
        {beginning(side)}
      </span>
    </span>
  );
}

export function whoSays({ kind, role }: SideView): string {
  if (kind === "handOff") return "Hand-off";
  return role === "other" ? "Other" : kindWords[kind].replace("System and tools", "System");
}

/** A row has room for a few hundred characters; line ends would waste it. */
function beginning({ text, chars }: SideView): string {
  const start = visibleText(cutText(text, 300).replace(/\s+/g, " "));
  return chars > Math.min(text.length, 300) ? `${start} …` : start;
}
