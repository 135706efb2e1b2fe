/** Tells lines that a person typed from lines that were pasted: logs, stack traces, diffs, JSON, tables, code, quotes. */

export interface PastedLine {
  readonly from: number;
  /** Past its line end. */
  readonly to: number;
  readonly isPasted: boolean;
}

/**
 * The lines of a text. A paragraph of three lines and more of which most look pasted is pasted as a whole: logs hold
 * lines that read like prose. Rules around a line count for nothing.
 */
export function pastedLines(text: string): readonly PastedLine[] {
  const lines: PastedLine[] = [];
  let paragraph = 0;
  const closeParagraph = () => {
    const told = lines.slice(paragraph).filter(({ from, to }) => !RULE.test(text.slice(from, to)));
    const pasted = told.filter((line) => line.isPasted).length;
    if (told.length >= 3 && pasted * 2 >= told.length) {
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

/** `--------`, `---- TASK ----` */
const RULE = /^\s*([-=_*~#+])\1{2,}(?:[^\n]{0,80}\1{3,})?\s*$/;

/** Enough of a line to know it by. */
const LOOKED_AT = 400;

/** Whether a trimmed line looks like the output of a program, or like code. */
export function looksPasted(line: string): boolean {
  let held = LETTER_FIRST.test(line) ? ANY_LINE : ANY_LINE | MARK_FIRST;
  let marks = 0;
  let hexDigits = 0;
  for (let at = 0; at < line.length; at++) {
    const kind = KINDS[Math.min(line.charCodeAt(at), 128)]!;
    held |= kind;
    marks += kind & MARK;
    hexDigits += (kind & HEX_DIGIT) >> 1;
  }
  // By index: until it is compiled, an iterator makes an object for each step.
  for (let at = 0; at < PASTED.length; at++) {
    const { needs, pattern } = PASTED[at]!;
    if ((held & needs) !== 0 && pattern.test(line)) return true;
  }
  const few = marks <= line.length * MARKS_SHARE && hexDigits <= line.length * DIGITS_SHARE;
  return (!few || (held & OMITTED) !== 0) && isMostlyMarks(line);
}

const LETTER_FIRST = /^[A-Za-z]/;
const MARKS_SHARE = 0.12;
const DIGITS_SHARE = 0.5;

/** What a line holds, as bits. */
const MARK = 1;
const HEX_DIGIT = 2;
/** Inline code and tags, which are left out when marks are counted. */
const OMITTED = 4;
/** It opens with something else than a letter. */
const MARK_FIRST = 8;
const NOT_ASCII = 16;
const ANY_LINE = 32;
/** From here on one bit for each character that a pattern needs. */
const NEEDED = ":=@(|;{}><";

const KINDS = Int32Array.from({ length: 129 }, (_, code) => {
  const character = String.fromCharCode(code);
  const needed = NEEDED.indexOf(character);
  return (
    (/[{}()[\];=<>|&$\\^~%]/.test(character) ? MARK : 0) |
    (/[0-9a-f]/.test(character) ? HEX_DIGIT : 0) |
    (/[`<]/.test(character) ? OMITTED : 0) |
    (code === 128 ? NOT_ASCII : 0) |
    (needed < 0 ? 0 : bitOf(needed))
  );
});

function bitOf(index: number): number {
  return 64 << index;
}

/** A pattern for lines that hold one of the characters. */
function holding(characters: string, pattern: RegExp): Clue {
  return { needs: [...characters].reduce((bits, one) => bits | bitOf(NEEDED.indexOf(one)), 0), pattern };
}

/** A pattern for lines that do not open with a letter. */
function markFirst(pattern: RegExp): Clue {
  return { needs: MARK_FIRST, pattern };
}

interface Clue {
  /** Bits, one of which a line has that matches: it spares nearly all lines nearly all patterns. */
  readonly needs: number;
  readonly pattern: RegExp;
}

const PASTED: readonly Clue[] = [
  // Quotes, rules, times and bracketed levels of logs, diffs, test runs, shells, JSON, mark-up, remarks in code.
  markFirst(/^(?:>|[-=_*~#+]{3,}$|(?:---|===) (?:FAIL|PASS|RUN)|@@ |\+\+\+ |--- [ab]\/|[+-]\S.*[;{}()=])/),
  markFirst(
    /^\[?(?:\d{4}[-/]\d\d[-/]\d\d[T ]\d\d:\d\d|\d\d:\d\d:\d\d)|^\[(?:info|warn|warning|error|debug|trace)\]/i,
  ),
  markFirst(/^(?:(?:\$|%|#!) ?\S|\/\/|\/\*|\*\/|#include|#define|@\w+\()/),
  markFirst(/^(?:[\]}{[]+[,;]?$|["'][^"']*["']\s*:|[{[].*["'}\]],?$|<\/?[A-Za-z!][^<>]*>)/),
  // Tables, and boxes that terminals draw.
  holding("|", /^\|.*\|$|\|[^|]*\|[^|]*\|/),
  { needs: NOT_ASCII, pattern: /[│┃║╭╮╰╯├┤┌┐└┘═━⎿⏺❯➜✻✽]|^[✓✔✗✘✅❌]/ },
  // Levels of logs, stack traces, compiler messages, diffs, listings, imports.
  {
    needs: ANY_LINE,
    pattern:
      /^(?:\[?(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|CRITICAL|NOTICE)\b\]?[:\s|[-]|File ".*", line \d+|Traceback|Caused by:|Exception in thread|goroutine \d+|panic:|npm ERR!|error\[E\d+\]|(?:FAIL|PASS|ok) {2,}\S|E {3}|diff --git|index [0-9a-f]{7}|(?!-{6})[d-][r-][w-][x-][r-][w-]|(?:import|from) .+ (?:from|import) |(?:import|package|using|require|include) [\w."'{(/]+;?$)/,
  },
  holding("(:", /^at (?:\S+ ?\(.*\)$|(?:async )?\S+:\d+)/),
  holding(":", /^(?:\S+:\d+(?::\d+)?:? |(?:\w+\.)*\w*(?:Error|Exception)\b: |\S[^:]{0,30}: {3,}\S)/),
  holding("@", /^[\w.-]+@[\w.-]+[:~ ].*[$#%]/),
  // Code.
  holding(";{}>:", /[;{}]$|=> ?[{(]?$|\)\s*:$/),
  holding(
    "=({:<",
    /^(?:export |async |public |private |protected |static |pub )*(?:const|let|var|function|func|fn|def|class|struct|interface|enum|impl) [\w($]+ ?[=({:<]/,
  ),
  holding("=", /^[\w.[\]]+ ?(?::?=|\+=|-=) ?\S+$/),
  holding("(", /^(?:(?:return|throw|await|yield) [\w.]+\(|[\w.]+\([^)]*\)[;,]?$)/),
];

/** Marks of code beside words; paths, punctuation, inline code and tags do not count. */
function isMostlyMarks(line: string): boolean {
  const words = line.replace(/`[^`]*`|<\/?[A-Za-z][^<>]{0,40}>/g, "");
  if (words.length < 12) return false;
  const marks = words.match(/[{}()[\];=<>|&$\\^~%]/g)?.length ?? 0;
  const digits = words.match(/[0-9a-f]{12,}|\d{4,}/g)?.join("").length ?? 0;
  return marks / words.length > MARKS_SHARE || digits / words.length > DIGITS_SHARE;
}
