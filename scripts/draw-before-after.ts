/**
 * Draws docs/images/before-after.svg and fills in the README's table, both from a real run over the example. With --check it
 * writes nothing and fails when either is not up to date.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { memoryArchive } from "../src/archive/memory.ts";
import { createCompactor } from "../src/compactor.ts";
import type { Message } from "../src/conversation/message.ts";
import { readConversation } from "../src/providers/detect.ts";
import { printReport } from "../src/report/print-report.ts";
import { createTokenCounter } from "../src/tokens/counter.ts";
import { projectRoot } from "./listed-tests.ts";

const colours: Readonly<Record<string, string>> = {
  system: "#9aa0a6",
  user: "#3b82f6",
  assistant: "#8b5cf6",
  tool: "#d6a12f",
  "hand-off": "#10a37f",
};
const width = 860;
const margin = 24;

const text = readFileSync(join(projectRoot, "examples/coding-session.json"), "utf8");
const { conversation, report } = await createCompactor({ target: "50%", archive: memoryArchive() }).compact(
  text,
  {
    target: "30%",
  },
);
if (report.error) throw report.error;

const tableLines = printReport(report).split("\n\n").slice(0, 3).join("\n\n");
const readme = readFileSync(join(projectRoot, "README.md"), "utf8");
const outputs = {
  "docs/images/before-after.svg": draw(readConversation(text).messages, conversation.messages),
  "README.md": readme.replace(
    /(<!-- table -->\n)[\s\S]*?(<!-- \/table -->)/,
    (_, start, end) => `${start}\`\`\`text\n${tableLines}\n\`\`\`\n${end}`,
  ),
};

for (const [file, content] of Object.entries(outputs)) {
  const path = join(projectRoot, file);
  if (!process.argv.includes("--check")) writeFileSync(path, content);
  else if (readFileSync(path, "utf8") !== content) {
    process.stderr.write(`${file} is not up to date: run \`npm run picture\`.\n`);
    process.exitCode = 1;
  }
}

function draw(before: readonly Message[], after: readonly Message[]): string {
  const scale = (width - 2 * margin) / report.tokensBefore;
  const legend = Object.entries(colours).filter(([name]) => name !== "system");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} 246" font-family="system-ui, sans-serif" font-size="14">
<title>The example conversation before and after compaction</title>
<rect width="${width}" height="246" rx="10" fill="#ffffff"/>
${caption(34, "Before", report.messagesBefore, report.tokensBefore)}
${strip(before, 46, scale)}
${caption(130, "After", report.messagesAfter, report.tokensAfter)}
${strip(after, 142, scale)}
${legend.map(([name, colour], order) => legendEntry(name, colour, margin + order * 130)).join("\n")}
</svg>
`;
}

function caption(y: number, title: string, messages: number, tokens: number): string {
  const words = `${messages} messages, ${tokens.toLocaleString("en-US")} tokens`;
  return `<text x="${margin}" y="${y}" fill="#1f2937"><tspan font-weight="600">${title}</tspan>  ${words}</text>`;
}

/** One box per message, as wide as its tokens. */
function strip(messages: readonly Message[], y: number, scale: number): string {
  const counter = createTokenCounter();
  let x = margin;
  const boxes = messages.map((message) => {
    const boxWidth = counter.message(message) * scale;
    const kind = message.position < 0 || holdsHandoff(message) ? "hand-off" : message.role;
    const box = `<rect x="${x.toFixed(1)}" y="${y}" width="${Math.max(0.4, boxWidth - 0.6).toFixed(1)}" height="44" fill="${colours[kind] ?? colours.system}"/>`;
    x += boxWidth;
    return box;
  });
  return boxes.join("\n");
}

function holdsHandoff(message: Message): boolean {
  return message.changed === true && message.role === "user";
}

function legendEntry(name: string, colour: string, x: number): string {
  return `<rect x="${x}" y="208" width="14" height="14" rx="3" fill="${colour}"/><text x="${x + 21}" y="220" fill="#374151">${name}</text>`;
}
