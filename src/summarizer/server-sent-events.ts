/** Server-sent events: the `data` of each event of a finished stream. */

/** The data fields in order; lines of one event are joined by a newline, comments and other fields skipped. */
export function eventsOf(text: string): readonly string[] {
  const events: string[] = [];
  let data: string[] = [];
  for (const line of text.replace(/^\ufeff/, "").split(/\r\n|\n|\r/)) {
    if (line === "") {
      if (data.length > 0) events.push(data.join("\n"));
      data = [];
    } else if (line.startsWith("data:")) {
      data.push(line.startsWith("data: ") ? line.slice(6) : line.slice(5));
    }
  }
  // An event that no blank line ended was cut; the protocol says to drop it.
  return events;
}
