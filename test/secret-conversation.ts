/** A conversation with secrets of many kinds in every place where one can stand, each place with secrets of its own. */
import type { Json, Wire } from "./gateway-wires.ts";
import { ruleSecrets, tableSecrets } from "./planted-kinds.ts";
import { type PlantedSecret, plantedSecrets } from "./planted-secrets.ts";

export const PLACES = [
  "arguments",
  "nested arguments",
  "user text",
  "system text",
  "error",
  "result",
  "file content",
  "summary",
] as const;
export type PlaceName = (typeof PLACES)[number];

export type PlacedSecret = PlantedSecret & { readonly place: PlaceName };

/** Of every kind: those of the table, those that only their words give away, and those of secretlint's rules. */
function everyKind(seed: string): readonly PlantedSecret[] {
  return [...plantedSecrets(seed), ...tableSecrets(seed), ...ruleSecrets(seed)];
}

/** Of every place, in their order; made once, as that takes its time. */
const everyPlace = PLACES.map((place) =>
  everyKind(`everywhere, ${place}`).map((one): PlacedSecret => ({ ...one, place })),
);

export const KINDS = everyPlace[0]!.length;

/** Of every so-manieth kind, one for each place. */
export function secretsOf(group: number, groups: number): readonly (readonly PlacedSecret[])[] {
  const byPlace = everyPlace.map((ofPlace) => ofPlace.filter((_, index) => index % groups === group));
  return byPlace[0]!.map((_, kind) => byPlace.map((ofPlace) => ofPlace[kind]!));
}

export const toldOf = (found: readonly PlacedSecret[]): readonly string[] =>
  found.map(({ kind, place }) => `${kind} in ${place}`);

const lineIn = (place: PlaceName, secrets: readonly PlacedSecret[]): string => {
  const one = secrets.find((each) => each.place === place)!;
  return one.line(one.secret);
};

export function linesIn(place: PlaceName, kinds: readonly (readonly PlacedSecret[])[]): string {
  return kinds.map((secrets) => `- ${lineIn(place, secrets)}`).join("\n");
}

const filler = (turn: number, lines: number): string =>
  Array.from({ length: lines }, (_, line) => `step ${line} of module ${turn}: ${line * 7919 + turn}`).join(
    "\n",
  );

/** A turn in which the secrets of one kind are said, passed to tools, written to a file, shown, and blamed for a failure. */
export function turnWith(wire: Wire, secrets: readonly PlacedSecret[], turn: number): readonly Json[] {
  const line = (place: PlaceName): string => lineIn(place, secrets);
  const run = (id: string, name: string, given: unknown) => ({
    id: `call_${turn}_${id}`,
    name,
    arguments: JSON.stringify(given),
  });
  const deploy = run("a", "bash", { command: `deploy ${line("arguments")} --yes` });
  const set = run("b", "configure", {
    name: line("nested arguments"),
    options: [{ depth: { note: line("nested arguments") } }],
    body: JSON.stringify({ inner: JSON.stringify({ text: line("nested arguments") }) }),
  });
  const write = run("c", "write_file", {
    path: `settings-${turn}.env`,
    content: `# settings\n${line("file content")}\n${filler(turn, 10)}`,
  });
  const show = run("d", "bash", { command: `cat notes-${turn}.txt` });
  const heard = (text: string, calls: readonly (typeof deploy)[], id: string) =>
    wire.heard(wire.answer({ text, calls }, id));
  return [
    wire.user(`Module ${turn} next. Never change this and always use it as it is: ${line("user text")}`),
    ...heard(`Deploying ${turn}.`, [deploy, set], `a${turn}`),
    ...wire.results([
      {
        call: deploy,
        text: `Exit code 1\n${filler(turn, 20)}\nError: cannot deploy with ${line("error")}\nfatal: giving up`,
      },
      { call: set, text: "set" },
    ]),
    ...heard(`Writing ${turn}.`, [write, show], `b${turn}`),
    ...wire.results([
      { call: write, text: "written" },
      { call: show, text: `${filler(turn, 20)}\n${line("result")}\n${filler(turn + 100, 20)}` },
    ]),
    ...heard(`Module ${turn} is done.`, [], `c${turn}`),
  ];
}

/** Under the names that the APIs have for it. */
export function withSystemText(body: Json, text: string): Json {
  const { messages, system, instructions } = body as {
    messages?: Json[];
    system?: string;
    instructions?: string;
  };
  if (system !== undefined) return { ...body, system: `${system}\n${text}` };
  if (instructions !== undefined) return { ...body, instructions: `${instructions}\n${text}` };
  const [first, ...rest] = messages!;
  return { ...body, messages: [{ ...first, content: `${first!.content}\n${text}` }, ...rest] };
}
