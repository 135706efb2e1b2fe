/** Tells lines that a person typed from lines that were pasted: logs, stack traces, diffs, JSON, tables, code, quotes. */

export interface Line {
  readonly from: number;
  /** Past its line end. */
  readonly to: number;
  readonly isPasted: boolean;
}

/**
 * The lines of a text. A paragraph of three lines and more of which most look pasted is pasted as a whole: logs hold
 * lines that read like prose.
 */
export function pastedLines(text: string): readonly Line[] {
  const lines: Line[] = [];
  let paragraph = 0;
  const closeParagraph = () => {
    const size = lines.length - paragraph;
    const pasted = lines.slice(paragraph).filter((line) => line.isPasted).length;
    if (size >= 3 && pasted * 2 >= size) {
      for (let index = paragraph; index < lines.length; index++)
        lines[index] = { ...lines[index]!, isPasted: true };
    }
  };
  for (let from = 0; from < text.length; ) {
    const lineFeed = text.indexOf("\n", from);
    const to = lineFeed < 0 ? text.length : lineFeed + 1;
    const line = text.slice(from, Math.min(to, from + LOOKED_AT)).trim();
    if (line === "") closeParagraph();
    lines.push({ from, to, isPasted: line !== "" && looksPasted(line) });
    if (line === "") paragraph = lines.length;
    from = to;
  }
  closeParagraph();
  return lines;
}

/** Enough of a line to know it by. */
const LOOKED_AT = 400;

/** Whether a trimmed line looks like the output of a program, or like code. */
export function looksPasted(line: string): boolean {
  return PASTED.some((pattern) => pattern.test(line)) || isMostlyMarks(line);
}

const PASTED: readonly RegExp[] = [
  // Quotes, tables, rules and boxes that terminals draw.
  /^>/,
  /^\|.*\|$|\|[^|]*\|[^|]*\|/,
  /^[-=_*~#+]{3,}$/,
  /[│┃║╭╮╰╯├┤┌┐└┘═━⎿⏺❯➜✻✽]/,
  // Logs: a time, a level, a bracketed level.
  /^\[?\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d/,
  /^\[?\d\d:\d\d:\d\d/,
  /^\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|CRITICAL|NOTICE)\b\]?[:\s|[-]/,
  /^\[(?:info|warn|warning|error|debug|trace)\]/i,
  // Stack traces and compiler messages.
  /^at \S+ ?\(.*\)$|^at (?:async )?\S+:\d+/,
  /^File ".*", line \d+/,
  /^(?:Traceback|Caused by:|Exception in thread|goroutine \d+|panic:|npm ERR!|error\[E\d+\])/,
  /^\S+:\d+(?::\d+)?:? /,
  /^(?:\w+\.)*\w*(?:Error|Exception)\b: /,
  /^[✓✔✗✘✅❌]|^\S[^:]{0,30}: {3,}\S/,
  /^(?:---|===) (?:FAIL|PASS|RUN)|^(?:FAIL|PASS|ok) {2,}\S|^E {3}/,
  // Diffs.
  /^(?:diff --git|index [0-9a-f]{7}|@@ |\+\+\+ |--- [ab]\/|[+-]\S.*[;{}()=])/,
  // Shells and listings.
  /^(?:\$|%|#!) ?\S|^[\w.-]+@[\w.-]+[:~ ].*[$#%]/,
  /^[d-][r-][w-][x-][r-][w-]/,
  // JSON, YAML-like structures and mark-up.
  /^[\]}{[]+[,;]?$|^["'][^"']*["']\s*:/,
  /^[{[].*["'}\]],?$/,
  /^<\/?[A-Za-z!][^<>]*>/,
  // Code.
  /[;{}]$|=> ?[{(]?$|\)\s*:$/,
  /^(?:\/\/|\/\*|\*\/|#include|#define|@\w+\()/,
  /^(?:import|from) .+ (?:from|import) |^(?:import|package|using|require|include) [\w."'{(/]+;?$/,
  /^(?:export |async |public |private |protected |static |pub )*(?:const|let|var|function|func|fn|def|class|struct|interface|enum|impl) [\w($]+ ?[=({:<]/,
  /^[\w.[\]]+ ?(?::?=|\+=|-=) ?\S+$/,
  /^(?:return|throw|await|yield) [\w.]+\(|^[\w.]+\([^)]*\)[;,]?$/,
];

/** Marks of code beside words; paths, punctuation, inline code and tags do not count. */
function isMostlyMarks(line: string): boolean {
  const words = line.replace(/`[^`]*`|<\/?[A-Za-z][^<>]{0,40}>/g, "");
  if (words.length < 12) return false;
  const marks = words.match(/[{}()[\];=<>|&$\\^~%]/g)?.length ?? 0;
  const digits = words.match(/[0-9a-f]{12,}|\d{4,}/g)?.join("").length ?? 0;
  return marks / words.length > 0.12 || digits / words.length > 0.5;
}
