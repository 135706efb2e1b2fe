/** What a terminal would show in the end: without colour codes and without what a carriage return overwrote. */

const CODES =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape is what is looked for
  /\u001b(?:\[[\d;:?<=>]{0,40}[@-~]|\][^\u0007\u001b\n]{0,400}(?:\u0007|\u001b\\)|[()][A-Z0-9]|[=>78])/g;

export function withoutControls(text: string): string {
  const plain = text.includes("\u001b") ? text.replace(CODES, "") : text;
  return plain.includes("\r") ? plain.split("\n").map(lastWritten).join("\n") : plain;
}

/** Progress bars write one line over and over: the last state counts. */
function lastWritten(line: string): string {
  if (!line.includes("\r")) return line;
  const end = line.endsWith("\r") ? line.slice(0, -1) : line;
  return end.slice(end.lastIndexOf("\r") + 1);
}
