/** `pith verify`: whether every id that was ever sent still leads to what it stands for. */
import type { Verification } from "../archive/archive.ts";
import { counted } from "../tokens/number-words.ts";
import { colored } from "./colored.ts";
import { exitDone, exitFailure } from "./exit-codes.ts";
import { withGivenArchive } from "./open-archive.ts";
import { archiveName } from "./settings.ts";
import { writeStdout } from "./stdout.ts";

export interface VerifyFlags {
  readonly archive: string;
  readonly json?: boolean;
}

export function verifyCommand(flags: VerifyFlags): Promise<number> {
  return withGivenArchive(archiveName(flags.archive), async (archive) => {
    const found = await archive.verify!();
    await writeStdout(flags.json ? `${JSON.stringify(found)}\n` : readable(archive.name, found));
    return found.faults.length === 0 ? exitDone : exitFailure;
  });
}

const SHOWN_FAULTS = 20;

function readable(name: string, { items, markers, requests, forgotten, faults }: Verification): string {
  const red = (text: string) => (colored(process.stdout) ? `\u001b[31m${text}\u001b[39m` : text);
  const shown = faults.slice(0, SHOWN_FAULTS).map(({ id, problem }) => `  ${red(id)}  ${problem}`);
  return [
    `archive    ${name}`,
    `items      ${items}${forgotten > 0 ? `, ${forgotten} of them erased on purpose` : ""}`,
    `markers    ${markers}`,
    `requests   ${requests}`,
    faults.length === 0 ? "Every id leads to its original." : red(counted(faults.length, "fault")),
    ...shown,
    ...(faults.length > SHOWN_FAULTS
      ? [`  … and ${faults.length - SHOWN_FAULTS} more; --json lists all`]
      : []),
    "",
  ].join("\n");
}
