/** `pith convert`: a session file or a request body as a request body of another format. */
import { OptionsError } from "../errors/options-error.ts";
import { convertConversation } from "../providers/convert.ts";
import { formats, readConversation, writeConversation } from "../providers/detect.ts";
import { tellProblems } from "./compact-command.ts";
import { exitDone } from "./exit-codes.ts";
import { sayingInputName } from "./input-name.ts";
import { readInput } from "./read-input.ts";
import { readSession, type SessionInput } from "./session-input.ts";
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
  const target = formats.find(({ name, aliases }) => name === to || aliases.includes(to));
  if (target === undefined)
    throw new OptionsError("--to", `--to ${to}: give openai, anthropic or responses.`);
  const place = output === "-" ? undefined : output;
  await checkOutputs(file, { "-o": place });
  const input = await readInput(file);
  const { converted, problems } = await sayingInputName(file, async () => {
    const session = await readSession(input, format);
    return { converted: await convertedTo(target.name, session), problems: session.problems };
  });
  const text = typeof converted === "string" ? converted : `${JSON.stringify(converted)}\n`;
  if (place === undefined) await writeStdout(text);
  else {
    const staged = await stageFile("-o", place);
    await staged.write(text);
    await staged.commit();
  }
  tellProblems(problems);
  return exitDone;
}

async function convertedTo(name: string, { body, format, transcript }: SessionInput): Promise<unknown> {
  const { portableBody } = await import("../transcripts/index.ts");
  const portable = transcript === undefined ? body : portableBody(body as Parameters<typeof portableBody>[0]);
  return writeConversation(convertConversation(readConversation(portable, { format }), name));
}
