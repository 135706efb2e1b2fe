/** `pith validate`: whether a provider would take the request. */

import { type Validation, validateRequest } from "../providers/validate/index.ts";
import { counted } from "../tokens/number-words.ts";
import { exitDone, exitFailure } from "./exit-codes.ts";
import { sayingInputName } from "./input-name.ts";
import { readInput } from "./read-input.ts";
import { readSession } from "./session-input.ts";
import { writeStdout } from "./stdout.ts";

export interface ValidateFlags {
  readonly format: string;
  readonly json?: boolean;
}

/** A session file is checked as the request that Pith makes of it. */
export async function validateCommand(file: string, flags: ValidateFlags): Promise<number> {
  const text = await readInput(file);
  const found = await sayingInputName(file, async () => {
    const { body, format, transcript } = await readSession(text, flags.format);
    return { ...validateRequest(body, { format }), ...(transcript !== undefined && { transcript }) };
  });
  await writeStdout(flags.json ? `${JSON.stringify(found)}\n` : readable(found));
  return found.valid ? exitDone : exitFailure;
}

const SHOWN_FAULTS = 50;

function readable({ format, faults, transcript }: Validation & { readonly transcript?: string }): string {
  const what = transcript === undefined ? format : `${format}, as Pith reads this ${transcript} file`;
  if (faults.length === 0) return `A valid request (${what}).\n`;
  const lines = faults
    .slice(0, SHOWN_FAULTS)
    .map(({ path, rule, message }) => `${path}  ${rule}: ${message}`);
  const more =
    faults.length > SHOWN_FAULTS ? [`… and ${faults.length - SHOWN_FAULTS} more; --json lists all`] : [];
  return [...lines, ...more, `${counted(faults.length, "fault")} (${what})`, ""].join("\n");
}
