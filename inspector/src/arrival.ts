/**
 * Arrival: how the page goes to a view. The view before stays until the figures of a conversation are there, so that its
 * overview is drawn once and whole; where they take longer than a moment, the overview says itself that it loads.
 */
import { batch, signal } from "@preact/signals";
import type { ConversationView } from "../../src/inspect/views.ts";
import { answerTo, type Loaded } from "./loaded.ts";
import { type Route, route } from "./router.ts";
import { source } from "./source.ts";

const momentMs = 100;

interface Overview {
  readonly id: string;
  readonly loaded: Loaded<ConversationView>;
}

const overview = signal<Overview | undefined>(undefined);
let going = new AbortController();
/** The conversation whose figures were asked for last. */
let goingTo: string | undefined;

/** The figures of a conversation that the page went to. */
export function overviewOf(id: string): Loaded<ConversationView> {
  return overview.value?.id === id ? overview.value.loaded : { state: "loading" };
}

export async function arriveAt(next: Route): Promise<void> {
  if (isAnotherPlaceIn(route.value, next)) {
    route.value = next;
    return;
  }
  going.abort();
  going = new AbortController();
  const { signal: left } = going;
  goingTo = next.view === "conversation" ? next.id : undefined;
  if (next.view !== "conversation") {
    route.value = next;
    return;
  }
  const { id } = next;
  const answer = answerTo(source.conversation(id, left));
  const first = await Promise.race([answer, aMoment()]);
  if (left.aborted) return;
  batch(() => {
    overview.value = { id, loaded: first };
    route.value = next;
  });
  const loaded = await answer;
  if (!left.aborted && first !== loaded) overview.value = { id, loaded };
}

/** Its figures are shown, or on their way: only another of its messages is wanted. */
function isAnotherPlaceIn(shown: Route, next: Route): boolean {
  return (
    next.view === "conversation" &&
    shown.view === "conversation" &&
    shown.id === next.id &&
    goingTo === next.id &&
    overview.peek()?.id === next.id
  );
}

function aMoment(): Promise<{ readonly state: "loading" }> {
  return new Promise((resolve) => setTimeout(() => resolve({ state: "loading" }), momentMs));
}
