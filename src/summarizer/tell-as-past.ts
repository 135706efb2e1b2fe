/** tellAsPast: what a summary says is to be done is told as what was planned, so that nobody takes it for an order (R9). */

/**
 * `"## Next steps\n- Run the tests"` → `"## What was planned\n- had planned: Run the tests"`.
 * Words stay as they are; code, quotes and what the user asked for or demanded are left alone.
 */
export function tellAsPast(text: string): string {
  let section: "planned" | "asked" | "told" = "told";
  let inCode = false;
  return text
    .split("\n")
    .map((line) => {
      if (/^\s{0,12}(?:```|~~~)/.test(line)) inCode = !inCode;
      if (inCode || line.trim() === "" || /^\s{0,3}>/.test(line)) return line;
      const heading = headingOf(line);
      if (heading !== undefined) {
        section = isPlanned(heading.words) ? "planned" : ASKED.test(heading.words) ? "asked" : "told";
        return section === "planned" ? heading.before + WHAT_WAS_PLANNED + heading.after : line;
      }
      return tellLine(line, section);
    })
    .join("\n");
}

const WHAT_WAS_PLANNED = "What was planned";

interface Heading {
  /** Marks and numbers. */
  readonly before: string;
  readonly words: string;
  readonly after: string;
}

/** `## Words`, `**Words:**`, `3. **Words**`, or a short line that ends in a colon. */
const HEADING =
  /^(?<before>\s{0,3}(?:#{1,6}\s{1,4})(?:\d{1,2}[.)]\s{1,4})?(?:\*\*|__)?|\s{0,3}(?:[-*]\s|\d{1,2}[.)]\s)?(?:\*\*|__))(?<words>[^*_#:]{1,80})(?<after>:?(?:\*\*|__)?:?\s*)$|^(?<number>\s{0,3}\d{1,2}[.)]\s{1,4})?(?<plain>[^:.#*\s-][^:.]{0,50}):\s*$/;

function headingOf(line: string): Heading | undefined {
  if (line.length > 120) return undefined;
  const groups = HEADING.exec(line)?.groups;
  if (groups === undefined)
    return isPlanned(line.trim()) ? { before: "", words: line.trim(), after: "" } : undefined;
  if (groups.plain !== undefined)
    return { before: groups.number ?? "", words: groups.plain.trim(), after: ":" };
  return { before: groups.before ?? "", words: (groups.words ?? "").trim(), after: groups.after ?? "" };
}

/** Headings over work that is still open, in the languages that users of agents write most. */
const PLANNED =
  /^(?:(?:optional|clear|immediate|recommended|suggested|proposed|possible|planned|current|remaining|my|the|user'?s?)\s)?(?:next (?:steps?|actions?|tasks?)|what(?:'s| is| comes)? next|what (?:remains|is left)(?: to (?:be done|do))?|remaining(?: (?:work|tasks?|steps?|items?))?|pending(?: (?:user )?(?:asks?|tasks?|items?|work|requests?|actions?))?|to-?\s?dos?(?: list)?|action items?|open (?:tasks?|items?|work|asks?)|outstanding(?: (?:work|tasks?|items?))?|follow-?\s?ups?|upcoming(?: (?:work|steps?|tasks?))?|future work|unfinished(?: (?:work|tasks?))?|work (?:remaining|left)|tasks? (?:remaining|left|to do)|plan|steps|resume(?: (?:here|exactly|point))?|nächste schritte|offene (?:punkte|aufgaben)|ausstehend\w*|prochaines étapes|à faire|tâches restantes|próximos pasos|pendientes?|por hacer|próximos passos|pendências|prossimi passi|da fare|volgende stappen|следующие шаги|осталось сделать|дальнейшие шаги|下一步(?:计划|工作|骤)?|后续(?:步骤|工作)|待办(?:事项)?|待辦(?:事項)?|次のステップ|残りの(?:作業|タスク)|다음 단계|남은 작업)$/iu;

/** `Pending Tasks (from the list)` is as open as without the aside. */
function isPlanned(words: string): boolean {
  return PLANNED.test(words.replace(/\s{1,4}\([^()]{0,60}\)$/, ""));
}

/** Headings over the user's own words: these stay as they were said. */
const ASKED =
  /\b(?:asks?|asked|task|goal|request|constraints?|preferences?|requirements?|intent|snapshot|user)\b/i;

/** A line that speaks to its reader. */
const OPEN =
  /^(?:please\b|you (?:should|must|need to|have to|can now)\b|(?:the )?(?:assistant|agent|model) (?:should|must|needs to|has to)\b|(?:resume|continue|proceed)(?=[\s,:]|$)|make sure\b|ensure\b|remember to\b|(?:don'?t|do not) forget\b|let'?s\b|(?:start|begin) (?:by|with)\b|next,|next steps?\s?(?::|is\b|are\b)|to-?do\b\s?:?|fixme\b\s?:?|action (?:item|required)\s?:)/i;

/** Told as past already, says that there is nothing, or tells of the user's words. */
const ALREADY =
  /^(?:had planned|was (?:about|going|planned) to|were (?:about|going) to|had been planned|done:|none\b|n\/a\b|nothing\b|(?:the )?user\b|["“])/i;

/** The list mark, a box to tick, and the words. */
const LINE = /^(?<mark>\s*(?:[-*+•]\s{1,4}|\d{1,3}[.)]\s{1,4})?)(?<box>\[[ xX]\]\s{1,4})?(?<words>.*)$/;

function tellLine(line: string, section: "planned" | "asked" | "told"): string {
  const { mark = "", box, words = "" } = LINE.exec(line)?.groups ?? {};
  if (box !== undefined) return `${mark}${/x/i.test(box) ? "done: " : planned("")}${words}`;
  if (ALREADY.test(words) || section === "asked") return line;
  if (section === "planned") {
    // An indented line without a mark goes on with the line above it.
    return /^\s{2,}$/.test(mark) ? line : mark + planned(words);
  }
  return OPEN.test(words.replace(/^\*\*/, "")) ? mark + planned(words) : line;
}

/** A label that says the same is not said twice: `TODO: x` → `had planned: x`. */
function planned(words: string): string {
  return `had planned: ${words.replace(/^(?:to-?do|next steps?|action item)\s?:\s{0,4}/i, "")}`;
}
