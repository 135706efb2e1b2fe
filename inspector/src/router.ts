/** Route: which view the page shows, told by the address after `#`, so that every view can be bookmarked and sent. */
import { signal } from "@preact/signals";

export type Route =
  | { readonly view: "conversations" }
  | { readonly view: "conversation"; readonly id: string /** A message to show. */; readonly at?: number }
  | { readonly view: "change" | "money"; readonly id: string }
  | { readonly view: "compaction"; readonly id: string }
  | { readonly view: "search"; readonly query: Readonly<Record<string, string>> };

export const route = signal<Route>(readRoute(location.hash));

/** `#/conversation/ID`, `#/conversation/ID?at=12`, `#/conversation/ID/change`, `#/compaction/ID`, `#/search?q=…`; anything else is the list. */
export function readRoute(hash: string): Route {
  const [path = "", query = ""] = hash.replace(/^#\/?/, "").split("?");
  const [view, id, part] = path.split("/").map(decoded);
  if (view === "conversation" && id) {
    if (part === "change" || part === "money") return { view: part, id };
    const at = /^at=(\d+)$/.exec(query)?.[1];
    return at === undefined ? { view, id } : { view, id, at: Number(at) };
  }
  if (view === "compaction" && id) return { view, id };
  if (view === "search") return { view, query: Object.fromEntries(new URLSearchParams(query)) };
  return { view: "conversations" };
}

/** The address of a route, for a link. */
export function linkTo(to: Route): string {
  if (to.view === "conversations") return "#/";
  if (to.view === "search") {
    const filled = Object.entries(to.query).filter(([, value]) => value !== "");
    return `#/search${filled.length > 0 ? `?${new URLSearchParams(filled)}` : ""}`;
  }
  const id = encodeURIComponent(to.id);
  if (to.view === "compaction") return `#/compaction/${id}`;
  if (to.view === "conversation") return `#/conversation/${id}${to.at === undefined ? "" : `?at=${to.at}`}`;
  return `#/conversation/${id}/${to.view}`;
}

export function goTo(to: Route): void {
  location.hash = linkTo(to);
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
