/** The session: what was opened, and what may be done with it. Asked for once, when the page starts. */
import { signal } from "@preact/signals";
import type { SessionView } from "../../src/inspect/views.ts";
import { source } from "./source.ts";

export const session = signal<SessionView | undefined>(undefined);
export const sessionFault = signal<string | undefined>(undefined);

/** Settles when the answer is there, either way. */
export async function askForSession(): Promise<void> {
  try {
    session.value = await source.session();
  } catch (cause) {
    sessionFault.value = (cause as Error).message;
  }
}

/** Whether something can be previewed; an exported page has no server that could. */
export function canPreview(): boolean {
  return session.value !== undefined && !session.value.exported;
}

/** Whether something may be changed. The server refuses it as well. */
export function canChange(): boolean {
  return canPreview() && !session.value!.readOnly;
}
