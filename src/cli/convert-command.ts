/** `pith convert`: a session file or a request body as a request body of another format. */
import { OptionsError } from "../errors/options-error.ts";
import { convertConversation } from "../providers/convert.ts";
import { formatNamed, readConversation, writeConversation } from "../providers/detect.ts";
import { tellProblems } from "./compact-command.ts";
import { exitDone } from "./exit-codes.ts";
import { readInput } from "./read-input.ts";
import { readSession } from "./session-input.ts";
import { writeStdout } from "./stdout.ts";
import { checkOutputs, stageFile } from "./write-output.ts";

export interface ConvertFlags {
  readonly format: string;
  readonly to?: string;
  readonly output?: string;
}

export async function convertCommand(file: string, { format, to, output }: ConvertFlags): Promise<number> {
  if (to === undefined)
    throw new OptionsError("--to", "Say which format to write: --to openai, anthropic or responses.");
  const target = formatNamed(to);
  const place = output === "-" ? undefined : output;
  await checkOutputs(file, { "-o": place });
  const session = await readSession(await readInput(file), format);
  const { portableBody } = await import("../transcripts/index.ts");
  const body =
    session.transcript === undefined
      ? session.body
      : portableBody(session.body as Parameters<typeof portableBody>[0]);
  const converted = writeConversation(
    convertConversation(readConversation(body, { format: session.format }), target.name),
  );
  const text = typeof converted === "string" ? converted : `${JSON.stringify(converted)}\n`;
  if (place === undefined) await writeStdout(text);
  else {
    const staged = await stageFile("-o", place);
    await staged.write(text);
    await staged.commit();
  }
  tellProblems(session.problems);
  return exitDone;
}
