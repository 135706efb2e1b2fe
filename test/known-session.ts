/** knownSession: a coding session whose facts are known, with enough talk around them that they must be handed off. */
import {
  assistant,
  call,
  rawConversation,
  result,
  system,
  user,
  type WireMessage,
} from "../src/testing/builders.ts";

/** What the user demanded, word for word. */
export const constraints = [
  "Never push to the branch release-4.2 yourself.",
  "All amounts must stay in integer cents.",
] as const;

export const latestAsk = "Now make the refund job idempotent and tell me which tests still fail.";

export const editedFiles = [
  "src/billing/refund.ts",
  "src/billing/ledger-entry.ts",
  "test/refund.test.ts",
] as const;

export const openError = "TypeError: Cannot read properties of undefined (reading 'chargeId')";

export const openTodos = ["Backfill refunds of order W2378156", "Document the --dry-run flag"] as const;

/** The facts as a model would tell them. */
export const facts: readonly string[] = [
  ...constraints,
  ...editedFiles.map((path) => `Edited ${path}.`),
  `The tests fail with ${openError}.`,
  ...openTodos.map((todo) => `Still open: ${todo}.`),
  "The webhook retries after 4500 ms.",
  "The refund table is billing_refunds.",
];

export const knownSession: readonly WireMessage[] = rawConversation(
  system("You are a careful coding agent."),
  user(`Refunds are paid twice when the webhook retries. Find out why and fix it. ${constraints.join(" ")}`),
  assistant("I will look at the refund job first.", call("Read", { file_path: editedFiles[0] })),
  result(source("refund", 40)),
  ...talk(1),
  assistant("The plan is written down.", call("TodoWrite", { todos: todos("in_progress") })),
  result("Todos have been modified."),
  ...editedFiles.flatMap((path, index) => [
    assistant(
      `Changing ${path}.`,
      call("Edit", { file_path: path, old_string: `amount${index}`, new_string: `amountInCents${index}` }),
    ),
    result(`The file ${path} has been updated.`),
  ]),
  assistant("The webhook retries after 4500 ms and writes to billing_refunds again."),
  user(latestAsk),
  assistant("Running the tests.", call("Bash", { command: "npm test -- refund" })),
  result(`FAIL test/refund.test.ts\n${openError}\n    at refund (src/billing/refund.ts:88:13)`, {
    isError: true,
  }),
  ...talk(2),
  assistant("Looking at one more module.", call("Read", { file_path: "src/billing/report.ts" })),
  result(source("report", 30)),
  assistant("The report does not touch refunds."),
);

function todos(status: string) {
  return [
    { content: "Find the double payment", status: "completed", activeForm: "Finding" },
    { content: openTodos[0], status, activeForm: "Backfilling" },
    { content: openTodos[1], status: "pending", activeForm: "Documenting" },
  ];
}

function source(name: string, lines: number): string {
  return Array.from(
    { length: lines },
    (_, at) => `export const ${name}Step${at} = step(${at * 37 + 11});`,
  ).join("\n");
}

/** Reading that leaves nothing to keep. */
function talk(round: number): readonly WireMessage[] {
  return Array.from({ length: 6 }, (_, at) => [
    assistant(
      `Looking at helper ${at} of round ${round}.`,
      call("Read", { file_path: `src/helpers/round${round}-${at}.ts` }),
    ),
    result(source(`helper${round}x${at}`, 60)),
  ]).flat();
}
