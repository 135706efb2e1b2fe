/** Whether the window is narrow: rows are then taller and panels cover the page. */
import { signal } from "@preact/signals";

const narrowWindow = matchMedia("(max-width: 760px)");

export const narrow = signal(narrowWindow.matches);

narrowWindow.addEventListener("change", () => {
  narrow.value = narrowWindow.matches;
});
