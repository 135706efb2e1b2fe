/** npm run eval:forty: what is still known of the beginning after forty compactions in a row? See docs/evaluation.md. */
import { parseArgs } from "node:util";
import { dataFolder } from "../recordings/sources.ts";
import { questionsFolder } from "./cases.ts";
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
`;

const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    questions: { type: "string", default: questionsFolder },
    data: { type: "string", default: dataFolder() ?? "." },
    help: { type: "boolean", default: false },
  },
});
const [verb, out, ...rest] = positionals;

if (flags.help) process.stdout.write(usage);
else if (verb === undefined || out === undefined || !Object.hasOwn(verbs, verb)) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else for (const line of await verbs[verb]!(flags, out, rest)) process.stdout.write(`${line}\n`);
