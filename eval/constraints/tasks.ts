/** What is compacted to see whether the user's words survive: labelled recordings, recordings with planted sentences, and cuts. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { seededRandom, shuffled } from "../figures/seeded-random.ts";
import type { RecordedMessage } from "../measure/cases.ts";
import { countedTokens, systemTexts } from "../measure/sizes.ts";
import { caseTasks } from "../measure/tasks.ts";
import type { WireMessage } from "../measure/wire-message.ts";
import { type ChosenSources, chooseSources } from "../recordings/choose-sources.ts";
import { type Recording, readSource } from "../recordings/sources.ts";
import { latestAsk, ownWords } from "./own-words.ts";

export interface WordsTask {
  readonly set: "labelled" | "planted" | "planted otherwise" | "latest ask";
  readonly id: string;
  readonly messages: readonly WireMessage[];
  readonly targets: readonly { readonly ratio: number; readonly tokens: number }[];
  /** What must stay, to the letter. Of a latest ask the one text, which may be cut when it is large. */
  readonly sentences: readonly string[];
}

interface Labelled {
  readonly source: string;
  readonly conversation: string;
  readonly message: number;
  readonly sentence: string;
}

interface Planted {
  readonly language: string;
  readonly wording: string;
  readonly sentence: string;
}

const ratios = [0.3, 0.1, 0.03];
const hosts = 6;
/** Where a sentence is planted, as a share of the user's messages. */
const places = [0.1, 0.5];
/** Sources whose user messages people wrote. In the others they are tool output, or made once for a benchmark. */
const spokenSources = [
  "coding-sessions",
  "derived-openai",
  "tau-bench-airline",
  "tau2-activegraph",
  "example",
];

export function wordsTasks({ shipped }: { readonly shipped: boolean }): readonly WordsTask[] {
  const chosen = chooseSources({ shipped });
  const spoken = { ...chosen, sources: chosen.sources.filter(({ name }) => spokenSources.includes(name)) };
  const recordings = new Map(
    spoken.sources.map((source) => [source.name, readSource(chosen.folder, source)]),
  );
  return [
    ...labelledTasks(recordings),
    ...plantedTasks(recordings, "planted"),
    ...plantedTasks(recordings, "planted otherwise"),
    ...askTasks(spoken),
  ];
}

function labelledTasks(recordings: ReadonlyMap<string, readonly Recording[]>): readonly WordsTask[] {
  const labels = readLines<Labelled>("labelled.jsonl");
  return [...Map.groupBy(labels, ({ conversation }) => conversation)].flatMap(([id, own]) => {
    const recording = recordings.get(own[0]!.source)?.find((each) => each.id === id);
    if (!recording) return [];
    const sentences = own.map(({ sentence }) => sentence);
    return [{ set: "labelled", id, sentences, ...sized(recording.messages) } as const];
  });
}

/** Where they are. Those planted otherwise are in wordings that no table of terms was written for. */
const plantedFiles = { planted: "planted.jsonl", "planted otherwise": "planted-otherwise.jsonl" } as const;

/** Each sentence in two places of some recordings: at the end of what the user said there, without any emphasis. */
function plantedTasks(
  recordings: ReadonlyMap<string, readonly Recording[]>,
  set: keyof typeof plantedFiles,
): readonly WordsTask[] {
  const all = [...recordings.values()].flat().filter(({ messages }) => spokenPlaces(messages).length > 3);
  const known = all.length > 0 ? all : [...recordings.values()].flat();
  return readLines<Planted>(plantedFiles[set]).flatMap(({ sentence, wording, language }) =>
    shuffled(known, seededRandom(1, sentence))
      .slice(0, hosts)
      .flatMap(({ id, messages }) =>
        places.map((place) => ({
          set,
          id: `${language}, "${wording}", at ${place} of ${id}`,
          sentences: [sentence],
          ...sized(withPlanted(messages, sentence, place)),
        })),
      ),
  );
}

function spokenPlaces(messages: readonly WireMessage[]): readonly number[] {
  return messages.flatMap((message, at) =>
    ownWords(message) !== "" && typeof message.content === "string" ? [at] : [],
  );
}

function withPlanted(
  messages: readonly RecordedMessage[],
  sentence: string,
  place: number,
): readonly RecordedMessage[] {
  const spoken = spokenPlaces(messages);
  const at = spoken[Math.floor(place * spoken.length)]!;
  const said = String(messages[at]!.content).trimEnd();
  const end = /[.!?。！？]$/.test(said) ? " " : "\n";
  return messages.with(at, { ...messages[at]!, content: `${said}${end}${sentence}` });
}

/** The newest ask before every cut that the measure makes. */
function askTasks(chosen: ChosenSources): readonly WordsTask[] {
  return [...caseTasks({ ...chosen, seed: 1 })].flatMap(({ case: { id, past, targets } }) => {
    const ask = latestAsk(past);
    if (ask === "") return [];
    const sizes = targets.map(({ kind, tokens }) => ({ ratio: Number(kind.split(" ")[1] ?? 0.03), tokens }));
    return [{ set: "latest ask" as const, id, messages: past, targets: sizes, sentences: [ask] }];
  });
}

function sized(messages: readonly RecordedMessage[]): Pick<WordsTask, "messages" | "targets"> {
  const given = messages.map(({ summary: _, ...message }) => message);
  const tokens = countedTokens(given, systemTexts(given));
  return {
    messages: given,
    targets: ratios.map((ratio) => ({ ratio, tokens: Math.round(tokens * ratio) })),
  };
}

function readLines<Line>(file: string): readonly Line[] {
  const text = readFileSync(join(import.meta.dirname, file), "utf8");
  return text
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}
