/** Commands: what was run, how often, how it last ended, and the line of its output that mattered. */
import type { Deed } from "../reading/calls/deed.ts";
import type { LedgerDraft } from "./draft.ts";
import { putFact } from "./recent-facts.ts";

/** Notes the commands that were run. */
export function noteCommands(
  draft: LedgerDraft,
  { commands, declined, running, failed, hidden, exitCode, line }: Deed,
): void {
  if (declined) return;
  for (let at = 0; at < commands.length; at++) {
    const command = commands[at]!;
    if (command === "") continue;
    const known = draft.commands.byKey.get(command);
    putFact(draft.commands, command, {
      command,
      runs: (known?.runs ?? 0) + 1,
      outcome: running || hidden ? "unknown" : failed ? "failed" : "ok",
      exitCode,
      line,
      at: draft.messages,
    });
  }
}
