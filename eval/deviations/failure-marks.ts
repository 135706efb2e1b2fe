/** The lines of a recorded output by which a runner, a compiler or a shell marks a failure: a detector of its own. */

const MARKS: readonly RegExp[] = [
  // Shells and their exits.
  /^(?:Exit code|Process exited with code|exit status|\[exit code:?) ?[1-9]\d*/,
  /^(?:\/bin\/)?(?:ba|z|)sh: .{1,200}(?:not found|No such file|Permission denied)/,
  /^(?:fatal|error): \S/,
  // Compilers.
  /^\S+\(\d+,\d+\): error TS\d+: /,
  /^\S+:\d+:\d+ - error TS\d+: /,
  /^\S+:\d+:\d+: (?:fatal )?error: /,
  /^error\[E\d{4}\]: /,
  /^\S+\.go:\d+:\d+: \S/,
  /^make(?:\[\d+\])?: \*\*\* /,
  /^npm ERR! (?:code|Missing|Test failed)/,
  // Runners.
  /^\s*--- FAIL: /,
  /^FAILED \S+::\S/,
  /^\S+::\S+ FAILED/,
  /^(?:FAIL|ERROR): test\w* \(/,
  /^test \S+ \.\.\. FAILED/,
  /^\s*not ok \d+ /,
  /^\s{0,6}[✕✗×] \S/,
  /^E {3,}\S*(?:Error|Exception|assert)\b/,
  /^FAIL\s+\S+\.(?:test|spec)\.\w+/,
  // Uncaught exceptions.
  /^Traceback \(most recent call last\)/,
  /^(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception): \S/,
  /^thread '.*' panicked at /,
  /^panic: /,
];

/** A runner that names a failing test by its id does so in several places: the id is what must be in view. */
const TEST_ID = /(?:^|\s)(\S+\.\w+::\S+)/;

/** Marked lines in order, each text once; of a line with the id of a test, the id. */
export function failureMarks(text: string): readonly string[] {
  const found = new Set<string>();
  for (const line of text.split("\n")) {
    const plain = line.trimEnd();
    if (plain.length <= 400 && MARKS.some((mark) => mark.test(plain)))
      found.add(TEST_ID.exec(plain)?.[1] ?? plain);
  }
  return [...found];
}
