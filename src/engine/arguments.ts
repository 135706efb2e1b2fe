/** Arguments: the long texts in a call's JSON, changed without touching a character of the rest. */
import { COLON, skipSpace, skipString } from "../json/scan.ts";

/** The same JSON with every string value longer than `least` characters as `change` makes it; keys and numbers stay. */
export function withLongValues(json: string, least: number, change: (value: string) => string): string {
  let changed = "";
  let from = 0;
  for (let at = json.indexOf('"'); at >= 0; ) {
    const end = skipString(json, at);
    const isKey = json.charCodeAt(skipSpace(json, end)) === COLON;
    if (!isKey && end - at > least) {
      changed += json.slice(from, at) + JSON.stringify(change(JSON.parse(json.slice(at, end))));
      from = end;
    }
    at = json.indexOf('"', end);
  }
  return changed + json.slice(from);
}
