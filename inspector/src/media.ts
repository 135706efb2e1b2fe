/** The window: whether it is narrow, so that rows are taller and panels cover the page, or so wide that all is larger. */
import { computed, signal } from "@preact/signals";

export const narrow = matches("(max-width: 760px)");
const huge = matches("(min-width: 2200px)");

/** How many pixels what is 100 pixels high at the usual size of type is here: the style sheet enlarges the type likewise. */
const enlarged = computed(() => (huge.value ? 17 / 14 : 1));

export function rowHeight(sizes: { readonly narrow: number; readonly wide: number }): number {
  return Math.round((narrow.value ? sizes.narrow : sizes.wide) * enlarged.value);
}

function matches(query: string) {
  const list = matchMedia(query);
  const value = signal(list.matches);
  list.addEventListener("change", () => {
    value.value = list.matches;
  });
  return value;
}
