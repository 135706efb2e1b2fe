/** Arrow keys: within a list of links or buttons, up and down, Home and End move the focus from one to the next. */
export function moveFocus(event: KeyboardEvent, selector: string): void {
  const list = event.currentTarget as HTMLElement;
  const stops = [...list.querySelectorAll<HTMLElement>(selector)];
  const now = stops.indexOf(document.activeElement as HTMLElement);
  if (now < 0 || event.altKey || event.ctrlKey || event.metaKey) return;
  const moves: Readonly<Record<string, number>> = {
    ArrowDown: now + 1,
    ArrowUp: now - 1,
    Home: 0,
    End: stops.length - 1,
  };
  const next = stops[moves[event.key] ?? -1];
  if (!next) return;
  event.preventDefault();
  next.focus();
}
