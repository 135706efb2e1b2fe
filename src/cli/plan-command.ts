/** `pith plan`: what compact would do, printed and not done. */
import { CompactionError } from "../errors/compaction-error.ts";
import { colored } from "./colored.ts";
import { compactOptions, compactorOptions } from "./engine-options.ts";
import { exitDone } from "./exit-codes.ts";
import { withInputName } from "./input-name.ts";
import { readInput } from "./read-input.ts";
import { readSession } from "./session-input.ts";
import { type Flags, resolveSettings } from "./settings.ts";
import { writeStdout } from "./stdout.ts";

export async function planCommand(file: string, flags: Flags): Promise<number> {
  const settings = resolveSettings(flags);
  const { doorCompactor } = await import("../compactor.ts");
  const { memoryArchive } = await import("../archive/memory.ts");
  // Ids take room, so they are planned for; a plan archives nothing.
  const archive = settings.archive === "none" ? undefined : memoryArchive();
  const options = compactorOptions(settings, archive);
  doorCompactor({ ...options, format: "auto" });
  const { body, format, pins } = await readSession(await readInput(file), settings.format);
  const compactor = doorCompactor({ ...options, format });
  const planned = compactor.plan(body, { ...compactOptions(settings), pins });
  const plan = await planned.catch((error) => {
    throw error instanceof CompactionError ? withInputName(error, file) : error;
  });
  if (flags.json) {
    await writeStdout(`${JSON.stringify(plan)}\n`);
  } else {
    const { printPlan } = await import("../report/print-plan.ts");
    await writeStdout(`${printPlan(plan, { color: colored(process.stdout) })}\n`);
  }
  return exitDone;
}
