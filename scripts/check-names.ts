/**
 * Checks that the middle of the engine names no provider and no agent program, in code or comments: what they say and how
 * their tools are called is data in src/reading/agents, how their APIs speak in src/providers. Presets are named after the
 * systems that they imitate, and those names are not meant.
 * Checks also that a type name is used for one thing: no two files export one of the same name, but for siblings such as
 * sqlite/ and postgres/, whose files are alike.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { projectRoot } from "./listed-tests.ts";

const middle = [
  "conversation",
  "handoff",
  "json",
  "ledger",
  "plan",
  "policy",
  "reading",
  "recall",
  "report",
  "run",
  "salience",
  "shapes",
  "state",
  "text",
  "tokens",
  "weights",
];

/** Tables whose rows are such names, or any word of a language. */
const tables = new Set(["src/tokens/models.ts", "src/recall/common-words.ts", "src/recall/thesaurus.ts"]);

const names = new RegExp(
  [
    ..."openai anthropic claude gemini mistral bedrock vertex azure deepseek grok llama qwen kimi cohere".split(
      " ",
    ),
    ..."codex copilot opencode aider openhands windsurf smolagents autogen".split(" "),
    ...["\\bcline\\b", "swe-?agent", "\\.cursor", "\\bgpt-", "\\bgoose\\b", "\\bdroid\\b"],
    ...["TodoWrite", "ExitPlanMode", "apply_patch"],
  ].join("|"),
  "i",
);

const faults = middle.flatMap((folder) => {
  if (!existsSync(join(projectRoot, "src", folder))) return [`There is no folder src/${folder} any more.`];
  return globSync(`src/${folder}/**/*.ts`, { cwd: projectRoot })
    .filter(
      (file) => !file.endsWith(".test.ts") && !file.startsWith("src/reading/agents/") && !tables.has(file),
    )
    .flatMap((file) =>
      readFileSync(join(projectRoot, file), "utf8")
        .split("\n")
        .flatMap((line, at) => (names.test(line) ? [`${file}:${at + 1}: ${line.trim().slice(0, 120)}`] : [])),
    );
});

const homes = new Map<string, Set<string>>();
for (const file of globSync("src/**/*.ts", { cwd: projectRoot }).filter((path) => !path.endsWith(".test.ts")))
  for (const [, name = ""] of readFileSync(join(projectRoot, file), "utf8").matchAll(
    /^export (?:interface|type|class) (\w+)/gm,
  ))
    homes.set(name, new Set(homes.get(name)).add(file));
for (const [name, files] of homes)
  if (new Set([...files].map(withoutSibling)).size > 1)
    faults.push(`The type ${name} is declared in ${[...files].join(" and ")}.`);

for (const fault of faults) process.stderr.write(`${fault}\n`);
process.stderr.write(
  `${middle.length} folders in the middle and ${homes.size} types, ${faults.length} faults of names\n`,
);
process.exitCode = faults.length > 0 ? 1 : 0;

/** The archives of the two databases count as one. */
function withoutSibling(file: string): string {
  return file.replace(/^src\/archive\/(?:sqlite|postgres)\/.*/, "src/archive/*");
}
