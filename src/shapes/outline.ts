/** Outline of a file: the lines that define or head something, with how deep they are. No parser, one pass. */

export interface OutlineEntry {
  readonly index: number;
  /** Leading white space in columns, a tab for four; a heading's level times two. */
  readonly depth: number;
}

const DEFINITION =
  /^\s{0,16}(?:(?:export|default|public|private|protected|internal|static|async|abstract|final|pub(?:\([a-z]+\))?|unsafe|inline|override|virtual|open|sealed|data|declare|extern|suspend) +)*(?:function\*?|class|interface|enum|struct|impl|trait|def|fn|func|module|namespace|package|object|record|protocol|extension|mod|macro_rules!|type|union|procedure|sub|CREATE|ALTER|service|message|rpc|resource|workflow|actor|primitive)[ (<*]/;
const BINDING = /^(?:export )?(?:const|let|var|val|static|#define|final) +[\w$*]+/;
const METHOD =
  /^(?: {2}| {4}|\t)(?:(?:async|static|get|set|public|private|protected|readonly|override|final) +)*[\w$#]+\(.*[{:]\s*$/;
const NOT_METHOD = /^\s*(?:if|for|while|switch|catch|return|else|with|elif|until|do)\b/;
const C_FUNCTION = /^[A-Za-z_][\w *&:<>,]{1,80}\([^;=]*\)?\s*\{?$/;
const TEST = /^\s{0,12}(?:describe|it|test|context|Scenario|Feature|t\.Run)(?:\.\w+)?[(:]/;
const HEADING = /^(#{1,6}) \S/;
const SECTION = /^\[{1,2}[\w."' :/-]{1,80}\]{1,2}\s*$/;
const DECORATED = /^@[\w.]+|^[A-Z][\w .-]{2,60}:$/;

/** Only what is near the start of a line can define something. */
const LOOKED_AT = 200;
const SHORTEST = 3;

export function outlineOf(
  lines: readonly string[],
  contentOf: (line: string) => string,
): readonly OutlineEntry[] {
  const entries: OutlineEntry[] = [];
  for (let index = 0; index < lines.length; index++) {
    const line = contentOf(lines[index]!.slice(0, LOOKED_AT)).trimEnd();
    if (line.length < SHORTEST) continue;
    const heading = HEADING.exec(line);
    if (heading !== null) entries.push({ index, depth: heading[1]!.length * 2 - 2 });
    else if (defines(line)) entries.push({ index, depth: columnsOf(line) });
  }
  return entries;
}

/** Whether a line would be in the outline. */
export function isOutlined(line: string): boolean {
  const start = line.slice(0, LOOKED_AT).trimEnd();
  return start.length >= SHORTEST && (HEADING.test(start) || defines(start));
}

function defines(line: string): boolean {
  if (DEFINITION.test(line) || BINDING.test(line) || TEST.test(line)) return true;
  if (METHOD.test(line) || C_FUNCTION.test(line)) return !NOT_METHOD.test(line);
  return SECTION.test(line) || DECORATED.test(line);
}

function columnsOf(line: string): number {
  let columns = 0;
  for (let index = 0; index < line.length; index++) {
    const code = line.charCodeAt(index);
    if (code === 9) columns += 4;
    else if (code === 32) columns++;
    else break;
  }
  return columns;
}
