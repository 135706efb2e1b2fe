/** What a line is in the output of runners, compilers and shells: a failure, its evidence, a summary, a pass, a warning. */

/** Only the start of a line tells its role. */
const LOOKED_AT = 300;
/** A word of failure may be later. */
const MOST_TELLING = 600;

/** A line that names a failing test, in the spellings of common runners. */
const FAILING_TEST =
  /^(?:--- FAIL|FAIL(?:ED)?(?::\s|\s+\S*[/.\\:>])|[✗✕✖✘❌] {1,2}\S|not ok \d|ERROR(?:ED)? \S+::|test \S.{0,200} \.\.\. FAILED|\S{1,300}::\S{1,200} (?:FAILED|ERROR)|FAILURES!|● .{1,200} › |\[ {2}FAILED {2}\])|<<< (?:FAILURE|ERROR)!|^\S.{0,200} > .{1,200} FAILED\s*$|\bpanicked at\b/;
/** The same in spellings that other texts have too: these count in the output of a runner. */
const FAILING_IN_RUN =
  /^(?:\d{1,5}\) \S|[●×] \S|ERROR: \w|_{3,} (?!coverage).{1,200} _{3,}\s*$|Failed \S|rspec \.|\S.{0,300} \.\.\. (?:FAIL|ERROR)\s*$)/;

/** Every report of a failure has one of these. */
const MAYBE =
  /err|fail|fatal|panic|exception|traceback|critical|severe|exit|not ok|abort|denied|not found|no such|refused|timed out|cannot|caused by|what went|uncaught|unhandled|undefined|segmentation|core dumped|killed|code|\*\*\*|ld: |^e: |^E |[✗✕×✖✘❌●]/i;

/** A compiler's or a shell's diagnosis, with or without its place. */
const DIAGNOSIS =
  /^(?:\S{1,300}?[:(]\d{1,7}(?:[:,]\d{1,7})?\)?:? ?(?:- )?(?:fatal )?error\b|(?:fatal )?error(?:\[[\w-]{1,20}\]| \w{1,8}\d{2,6})?: \S|\d{1,6}:\d{1,5}\s+error\s|ERROR in |Module not found|✘ \[ERROR\]|error during build|e: \S|\w{0,30}make(?:\[\d+\])?: \*\*\*|\S{0,200}ld(?:\.\w+)?: |collect2: error|BUILD FAIL|FAILURE: |> Task \S{1,200} FAILED|\* What went wrong|Caused by: |Exception in thread|Unhandled|Uncaught|panic: |fatal: |Segmentation fault|Killed\b|(?:ba|z)?sh: .{0,200}: (?:command )?not found|\S.{0,200}: (?:command not found|No such file or directory|Permission denied)|npm (?:ERR!|error) (?!A complete log|\s*$)|\[ERROR\] (?!\s*$|-> |To see|Re-run|For more)|[\w.$]{0,80}(?:Error|Exception)(?:: \S| \[\w{1,40}\]: ))|: undefined reference to |: error(?: \w{1,8}\d{2,6})?: /;
/** `./main.go:12:5: undefined: x`: go, gofmt and many linters have no word for it. */
const PLACED =
  /^(?:\.{0,2}\/)?[\w@./\\-]{1,200}\.(?:go|c|cc|cpp|h|rs|py|ts|tsx|js|java|kt|swift|php|rb|ex|zig|scss|css):\d{1,7}:(?:\d{1,5}:)? (?!note:|warning:|info:|help:|.{0,120}\b(?:INFO|DEBUG|TRACE)\b)\S/;

const EVIDENCE =
  /^(?:E\s{2,}\S|>\s|Expected\b|Received\b|expected\b|actual\b|got\b|want\b|left:|right:|Left:|Right:|AssertionError|assert|[+-] \S|[+-]\d|[\w./\\-]{1,200}:\d{1,7}(?::\d{1,5})?(?::|$)|Error Trace:|Error:|Messages?:|-->|❯ \S|Failure\/Error|Failed asserting|but was|error: |failureType|Reason:|Assert\.|thread '|at \S|# \.{0,2}\/?\S{1,200}:\d|File ".{1,200}", line \d|Diff:|Caused by:|symbol:|location:|TS\d{4})|expect\(|\b(?:expected|but was|to (?:equal|be|eq|have))\b.{0,200}/;
/** An entry of a log that a test wrote. */
const QUIET_LEVEL = /(?<![\w-])(?:INFO|DEBUG|TRACE)(?![\w-])/;
const COMPARISON =
  /\b(?:expected|received|actual|got|want(?:ed)?|should(?:n't)?|but was|assert\w*|left|right|unexpected|missing|mismatch|not equal|!==?|failed)\b|[!=]== |AssertionError/i;
/** Frames of the runner and of libraries: they are between the failure and its place. */
const FOREIGN_FRAME =
  /node_modules|node:internal|site-packages|dist-packages|\/lib\/python|java\.base|org\.junit|jdk\.internal|vendor\/|<anonymous>\)$|\/rustc\/|\/usr\/lib|\/usr\/local\/go|\bsun\.reflect/;

const SUMMARY =
  /^(?:(?:[✓✔✅] ?)?All (?:[\w-]+ ){0,3}(?:tests?|checks?|specs?) (?:have )?passed|Tests?:? {1,}\d|Tests?:\s|Test Suites?:|Test Files\s|Snapshots:\s|Ran \d+ tests?|test result:|(?:\[\w+\] )?Tests run:|FAIL$|PASS$|OK \(|FAILED \(|FAIL\s+\S+\s+[\d(]|# (?:tests|pass|fail)\s|ℹ (?:tests|pass|fail)\s|\d+% tests passed|\d+ (?:passed|passing|failed|failing|pending|tests?|examples?|errors?|problems?)\b|=+ .{0,200}(?:passed|failed|error|no tests).{0,200} =+|exit status \d|TOTAL\s|(?:Passed|Failed)!|Total tests:|\s*(?:Passed|Failed):\s+\d|Tests: \d|✖ \d+ problems?|Found \d+ errors?|\d+ Error\(s\)|BUILD (?:SUCC|FAIL)|(?:\[\w+\] )?BUILD |Build (?:FAILED|succeeded)|webpack .{0,40}compiled|✓ built in|Finished |error: could not compile|error: aborting|\[?(?:Command |Process )?exit(?:ed)?(?: with)?(?: code| status)[ :=]+\d)/i;

const PASSING =
  /^(?:--- PASS|PASS(?:ED)?\b|[✓✔√]|ok \d+|=== (?:RUN|PAUSE|CONT)|ok\s+\S+|Passed \S|\[ {7}OK \])/;

/** A test that did not run. */
const SKIPPED =
  /# (?:SKIP|TODO)\b|\bSKIPPED\b|--- SKIP|\.\.\. (?:ignored|skipped)|\((?:PENDING|SKIPPED|pending)[:)]|^\s*(?:[○↓⊘] |skipped \S)/;

const WARNING = /\bwarn(?:ing)?s?\b|deprecated|⚠/i;

/** One look that spares most lines the others. */
export function mayTellFailure(line: string): boolean {
  return MAYBE.test(line.length > MOST_TELLING ? line.slice(0, MOST_TELLING) : line);
}

export function isFailing(line: string): boolean {
  return FAILING_TEST.test(start(line));
}

export function isFailingInRun(line: string): boolean {
  return FAILING_IN_RUN.test(start(line));
}

/** A failing test or check is named, in either way. */
export function isNamed(line: string): boolean {
  return isFailing(line) || isFailingInRun(line);
}

/** The report of a failure, by its form: a diagnosis, a failing test. */
export function isDiagnosis(line: string): boolean {
  const looked = start(line);
  return DIAGNOSIS.test(looked) || FAILING_TEST.test(looked);
}

/** A place without its file, which is on a line above: `  88:13  error  …`. */
export function lacksFile(line: string): boolean {
  return /^\s+\d{1,6}:\d{1,5}\s/.test(line);
}

/** It starts with a place in a source file, as the reports of compilers and linters do, and matches of a search. */
export function isPlaced(line: string): boolean {
  return line.includes(":") && PLACED.test(line.slice(0, LOOKED_AT));
}

/** It shows what was expected, what came, or where. */
export function isEvidence(line: string): boolean {
  const looked = start(line);
  return EVIDENCE.test(looked) && !FOREIGN_FRAME.test(looked) && !QUIET_LEVEL.test(looked);
}

/** It says what came and what should have. */
export function isComparison(line: string): boolean {
  return COMPARISON.test(start(line));
}

/** A line of a stack trace. */
export function isFrame(line: string): boolean {
  return /^(?:at \S|File ")/.test(start(line));
}

/** A frame of the runner or of a library. */
export function isForeignFrame(line: string): boolean {
  return FOREIGN_FRAME.test(start(line));
}

/** It tells how a whole run ended. */
export function isSummary(line: string): boolean {
  return SUMMARY.test(start(line));
}

export function isPassing(line: string): boolean {
  const says =
    PASSING.test(start(line)) ||
    line.endsWith("... ok") ||
    (line.includes("PASSED") && /\bPASSED\b/.test(line));
  return says && !isSkipped(line);
}

export function isSkipped(line: string): boolean {
  return SKIPPED.test(start(line));
}

export function isWarning(line: string): boolean {
  return WARNING.test(start(line));
}

/** Without its indentation, so that no pattern tries each of its spaces. */
function start(line: string): string {
  const code = line.charCodeAt(0);
  const text = code === 32 || code === 9 ? line.trimStart() : line;
  return text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text;
}
