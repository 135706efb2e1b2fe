/** `pith health`: a conversation's state at a glance, and what to do about it; nothing is changed. */
import { doorCompactor } from "../compactor.ts";
import { type Health, healthLine } from "../report/health.ts";
import { appendSessionLog } from "../report/session-log-file.ts";
import { cut, printable } from "../report/table.ts";
import { counted, percent } from "../tokens/number-words.ts";
import { compactorOptions } from "./engine-options.ts";
import { exitDone } from "./exit-codes.ts";
import { sayingInputName } from "./input-name.ts";
import { readInput } from "./read-input.ts";
import { readSession } from "./session-input.ts";
import { type Flags, resolveSettings } from "./settings.ts";
import { writeStdout } from "./stdout.ts";

export type HealthFlags = Pick<Flags, "format" | "model" | "window" | "reserve" | "sessionLog" | "json">;

export async function healthCommand(file: string, flags: HealthFlags): Promise<number> {
  const settings = resolveSettings({ ...flags, archive: "none" });
  const text = await readInput(file);
  const found = await sayingInputName(file, async () => {
    const { body, format, usage } = await readSession(text, settings.format);
    return doorCompactor({ ...compactorOptions(settings), format }).health(body, { usage });
  });
  if (flags.sessionLog !== undefined) appendSessionLog(flags.sessionLog, `${healthLine(found)}\n\n`);
  await writeStdout(flags.json ? `${JSON.stringify(found)}\n` : readable(found));
  return exitDone;
}

const SHOWN_STALE = 10;

function readable({ status, action, utilisation, messages, notes, stale }: Health): string {
  const used = utilisation === undefined ? "the window is unknown" : `${percent(utilisation)} of the budget`;
  const more =
    stale.length > SHOWN_STALE ? [`  … and ${stale.length - SHOWN_STALE} more; --json lists all`] : [];
  return [
    `${status}${action === "none" ? "" : `: ${action}`}`,
    `${used}, ${counted(messages, "message")}`,
    ...notes.map((note) => cut(printable(note), 400)),
    ...stale
      .slice(0, SHOWN_STALE)
      .map(({ position, since, reason }) =>
        cut(printable(`  message ${position}: ${reason}, in message ${since}`), 200),
      ),
    ...more,
    "",
  ].join("\n");
}
