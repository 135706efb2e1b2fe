/** `pith replay`: a recorded conversation, request by request, under every strategy: what each costs and forgets. */
import { CompactionError } from "../errors/compaction-error.ts";
import { OptionsError } from "../errors/options-error.ts";
import type { PriceTables } from "../replay/price-table.ts";
import type { Recording } from "../replay/recording.ts";
import { counted } from "../tokens/number-words.ts";
import { exitDone } from "./exit-codes.ts";
import { withInputName } from "./input-name.ts";
import { createProgress } from "./progress.ts";
import { readInput } from "./read-input.ts";
import { readSession } from "./session-input.ts";
import { positiveInteger, wholeNumber } from "./settings.ts";
import { writeStderr } from "./stderr.ts";
import { writeStdout } from "./stdout.ts";
import { checkOutputs, stageFile } from "./write-output.ts";

/** The flags as they were typed. */
export interface ReplayFlags {
  readonly format: string;
  readonly model?: string;
  readonly window?: string;
  readonly reserve?: string;
  readonly prices?: string;
  readonly strategy?: readonly string[];
  readonly recall?: boolean;
  readonly plot?: string;
  readonly json?: boolean;
}

export async function replayCommand(file: string, flags: ReplayFlags): Promise<number> {
  const { strategiesNamed } = await import("../replay/all-strategies.ts");
  const { replay } = await import("../replay/replay.ts");
  const strategies = strategiesNamed(flags.strategy ?? []);
  const prices = await pricesOf(flags);
  await checkOutputs(file, { "--plot": flags.plot });
  const recording = await recordingOf(file, flags);
  const window = await windowOf(recording, flags);
  const options = {
    window,
    ...(flags.reserve !== undefined && { reserve: wholeNumber("--reserve", flags.reserve) }),
    prices,
    recall: flags.recall === true,
  };
  const progress = createProgress();
  const results = [];
  for (const [order, strategy] of strategies.entries()) {
    progress.show(order / strategies.length, strategy.name);
    results.push(await replay(recording, strategy, options));
  }
  progress.clear();
  const requests = recording.exchanges.length;
  if (flags.plot !== undefined) {
    const { plotReplay } = await import("../replay/plot-replay.ts");
    const plot = await stageFile("--plot", flags.plot);
    await plot.write(plotReplay(results, `${counted(requests, "request")} in a window of ${window} tokens`));
    await plot.commit();
  }
  if (flags.json) {
    await writeStdout(`${JSON.stringify({ window, requests, prices, results })}\n`);
    return exitDone;
  }
  const { printReplay } = await import("../replay/print-replay.ts");
  await writeStdout(`${printReplay(results)}\n`);
  writeStderr(`${counted(requests, "request")}, window ${window}. Cost in the units of the price tables.\n`);
  return exitDone;
}

async function pricesOf({ prices: file }: ReplayFlags): Promise<PriceTables> {
  const { readPriceTables, shippedPrices } = await import("../replay/price-table.ts");
  return file === undefined ? shippedPrices : readPriceTables(await readInput(file), file);
}

async function recordingOf(file: string, flags: ReplayFlags): Promise<Recording> {
  const { readRecording } = await import("../replay/recording.ts");
  const text = await readInput(file);
  try {
    const { body, format } = await readSession(text, flags.format);
    const recording = readRecording(body, { format });
    return flags.model === undefined ? recording : { ...recording, model: flags.model };
  } catch (error) {
    throw error instanceof CompactionError ? withInputName(error, file) : error;
  }
}

async function windowOf({ model }: Recording, { window }: ReplayFlags): Promise<number> {
  if (window !== undefined) return positiveInteger("--window", window);
  const { modelProfile } = await import("../tokens/models.ts");
  const known = modelProfile(model).window;
  if (known === undefined) {
    const whose = model === undefined ? "the model" : `model "${model}"`;
    throw new OptionsError(
      "--window",
      `The context window of ${whose} is not known. Give it with --window, or a known model with --model.`,
    );
  }
  return known;
}
