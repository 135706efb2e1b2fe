/** npm run eval:forty: what is still known of the beginning after forty compactions in a row? See docs/evaluation.md. */
import { parseArgs } from "node:util";
import { dataFolder } from "../recordings/sources.ts";
import { fortyCases, questionsFolder } from "./cases.ts";
import { verbs } from "./verbs.ts";

const usage = `Usage: npm run eval:forty -- VERB OUT
  first OUT            OUT/first/RECORDING.md: the first quarter of each, for whoever writes ten questions about it beforehand
  contexts OUT         forty compactions of each in a window of a quarter of it: OUT/RECORDING/pith.ctx, and the archive beside it
  papers OUT READERS   OUT/reader-K/exam.md: the cases dealt to the readers, with the commands that open what a context names
  sheets OUT           OUT/sheet-RECORDING.md: the answers, for one marker, who writes OUT/marks.json
  table OUT            OUT/marks.json as tables
Options
  --questions DIR      a file for each recording: {"recording", "questions": [{"id", "question", "answer"}]}; default eval/forty/questions
  --data DIR           where the recordings are; default ../shared/data
  --cases A,B          only these recordings
  --compactions 40     how many in a row
  --window 0.25        the window as a share of a recording
  --first 0.25         the share of a recording that is asked about
  --written DIR        every story by a model that answers by hand: DIR/RECORDING-…/prompt.md waits for answer.md beside it
`;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    questions: { type: "string", default: questionsFolder },
    data: { type: "string", default: dataFolder() ?? "." },
    cases: { type: "string", default: "" },
    compactions: { type: "string", default: "40" },
    window: { type: "string", default: "0.25" },
    first: { type: "string", default: "0.25" },
    written: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const [verb, out, ...rest] = positionals;

if (flags.help) process.stdout.write(usage);
else if (verb === undefined || out === undefined || !Object.hasOwn(verbs, verb)) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  const only = flags.cases.split(",").filter(Boolean);
  const options = {
    questions: flags.questions,
    data: flags.data,
    cases: fortyCases.filter(({ id }) => only.length === 0 || only.includes(id)),
    compactions: Number(flags.compactions),
    windowShare: Number(flags.window),
    firstShare: Number(flags.first),
    written: flags.written,
  };
  for (const line of await verbs[verb]!(options, out, rest)) process.stdout.write(`${line}\n`);
}
