/** Chooses what is measured: the recordings beside the checkout, or the shipped example where there are none. */
import { dataFolder, type Source, shippedFolder, sourcesIn } from "./sources.ts";

export interface ChosenSources {
  readonly folder: string;
  readonly sources: readonly Source[];
}

interface ChooseInput {
  /** Only these; all when empty. */
  readonly names?: readonly string[];
  readonly shipped?: boolean;
}

export function chooseSources({ names = [], shipped = false }: ChooseInput): ChosenSources {
  const folder = (shipped ? undefined : dataFolder()) ?? shippedFolder;
  if (folder === shippedFolder)
    process.stderr.write(
      "The shipped example is measured: one conversation, too few for figures to quote.\n",
    );
  const known = sourcesIn(folder);
  const unknown = names.filter((name) => !known.some((source) => source.name === name));
  if (unknown.length > 0)
    throw new Error(
      `No source ${unknown.join(", ")} here; known: ${known.map(({ name }) => name).join(", ")}.`,
    );
  return { folder, sources: known.filter(({ name }) => names.length === 0 || names.includes(name)) };
}
