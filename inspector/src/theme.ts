/** Theme: light or dark as the system says, until the person chooses; the choice is kept in the browser. */
import { effect, signal } from "@preact/signals";

export type Theme = "light" | "dark";

const kept = "pith-theme";
const system = matchMedia("(prefers-color-scheme: dark)");

export const theme = signal<Theme>(chosen() ?? (system.matches ? "dark" : "light"));

system.addEventListener("change", () => {
  if (chosen() === undefined) theme.value = system.matches ? "dark" : "light";
});

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});

export function switchTheme(): void {
  theme.value = theme.value === "dark" ? "light" : "dark";
  try {
    localStorage.setItem(kept, theme.value);
  } catch {
    // A page from a file may not store anything: the choice lasts until it is closed.
  }
}

function chosen(): Theme | undefined {
  try {
    const value = localStorage.getItem(kept);
    return value === "light" || value === "dark" ? value : undefined;
  } catch {
    return undefined;
  }
}
