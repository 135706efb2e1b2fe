/** printReport: the Report for people, before and after side by side; reportToJson: the same for programs. */

import { counted, percent, thousands } from "../tokens/number-words.ts";
import type { RequestReport } from "./agent-report.ts";
import type { Health } from "./health.ts";
import { createPaint } from "./paint.ts";
import type { MessageReport, MustKeepReport, Report } from "./report.ts";
import { type RoleReport, roleLine } from "./role-report.ts";
import type { SummaryCost } from "./summary-cost.ts";
import { cut, printable, table } from "./table.ts";
import { yieldedLines } from "./yielded-lines.ts";

export interface PrintOptions {
  /** @default false */
  readonly color?: boolean;
  /** Characters in a line. @default 100 */
  readonly width?: number;
}

/** Several lines without a newline at the end. */
export function printReport(report: Report, { color = false, width = 100 }: PrintOptions = {}): string {
  const paint = createPaint(color);
  const [head = "", ...rest] = headLines(report, width);
  const title = report.error ? paint.red(head) : report.compacted ? paint.bold(head) : head;
  const blocks = [[title, ...rest.map(paint.dim)], withDimHead(sizeLines(report, width))];
  if (report.roles) blocks.push([...roleLines(report.roles, Math.max(width, 200))]);
  if (report.request) blocks.push([requestLine(report.request, Math.max(width, 200))]);
  if (report.stages.length > 0) blocks.push(withDimHead(stageLines(report, width)));
  const yielded = yieldedLines(report);
  if (yielded.length > 0) blocks.push([...yielded]);
  if (report.mustKeeps?.total) blocks.push([mustKeepLine(report.mustKeeps)]);
  if (report.opens) blocks.push([`${report.opens} opens what was handed off; the hand-off names no id`]);
  if (report.summary) blocks.push([...summaryLines(report, Math.max(width, 200))]);
  if (report.compacted) blocks.push(withDimHead(messageLines(report, width)));
  if (report.health?.conflicts.length) blocks.push([...conflictLines(report.health, Math.max(width, 200))]);
  if (report.hints) blocks.push(report.hints.map((hint) => paint.dim(hint)));
  return blocks.map((lines) => lines.join("\n")).join("\n\n");

  function withDimHead([first = "", ...lines]: readonly string[]): string[] {
    return [paint.dim(first), ...lines];
  }
}

/** Plain JSON: the error as its code, its message and the data that helps, without a stack. */
export function reportToJson(report: Report): Record<string, unknown> {
  const { error, ...rest } = report;
  const value = error ? { ...rest, error: { ...error, code: error.code, message: error.message } } : rest;
  return JSON.parse(JSON.stringify(value)) as Record<string, unknown>;
}

function headLines(report: Report, width: number): readonly string[] {
  const { tokensBefore, tokensAfter, error } = report;
  const reason = cut(printable(report.reason), width);
  if (error)
    return [
      cut(`Failed, nothing was changed: ${printable(error.message)} [${error.code}]`, Math.max(width, 400)),
    ];
  if (!report.compacted)
    return ["Nothing was compacted.", cut(printable(report.reason), Math.max(width, 400))];
  const saved = share(tokensBefore - tokensAfter, tokensBefore);
  return [`Compacted ${thousands(tokensBefore)} → ${thousands(tokensAfter)} tokens: ${saved} saved`, reason];
}

/** The number that the percentages are of comes first. */
function windowWords(window: number | undefined, base: number | undefined): string {
  if (window === undefined || base === undefined) return "window unknown";
  const whole = `window ${thousands(window)}`;
  return base === window ? whole : `of ${thousands(base)}, ${whole}`;
}

function sizeLines(report: Report, width: number): readonly string[] {
  const { window, base = window, targetTokens, inViewTokens, exact, encoding, cost } = report;
  const ofBase = (tokens: number) => (base ? ` (${percent(tokens / base)})` : "");
  const request = (tokens: number) => `${thousands(tokens)}${ofBase(tokens)}`;
  const counts = `${exact ? "" : "estimated with "}${encoding}`;
  return table(
    [
      [report.preset, "before", "after", ""],
      [
        "tokens",
        thousands(report.tokensBefore),
        thousands(report.tokensAfter),
        [
          targetTokens !== undefined && `target ${thousands(targetTokens)}`,
          inViewTokens !== undefined && `${thousands(inViewTokens)} in view`,
          counts,
        ]
          .filter(Boolean)
          .join(", "),
      ],
      ["messages", thousands(report.messagesBefore), thousands(report.messagesAfter), report.format],
      [
        "whole request",
        request(report.promptTokensBefore),
        request(report.promptTokensAfter),
        windowWords(window, base),
      ],
      ["next request costs", thousands(cost.before), thousands(cost.after), "in fresh input tokens"],
    ],
    { right: [1, 2], width },
  );
}

function stageLines({ stages }: Report, width: number): readonly string[] {
  const rows = stages.map(({ stage, messages, tokensSaved, ratioSaved }) => [
    stage,
    thousands(messages),
    thousands(tokensSaved),
    percent(ratioSaved),
  ]);
  return table([["stage", "messages", "saved", "of all"], ...rows], { right: [1, 2, 3], width });
}

const shownRoles = 10;

function roleLines(roles: readonly RoleReport[], width: number): readonly string[] {
  const lines = roles.slice(0, shownRoles).map((role) => cut(printable(roleLine(role)), width));
  const more = roles.length - shownRoles;
  return more > 0 ? [...lines, `… and ${counted(more, "role")} more`] : lines;
}

function requestLine({ reason, strategy, withoutArchive }: RequestReport, width: number): string {
  const how = withoutArchive ? "archive; there is none, so it was summarized" : strategy;
  return cut(printable(`the agent asked for it (${how}): ${reason}`), width);
}

function mustKeepLine({ total, told }: MustKeepReport): string {
  const rest = told < total ? "; the hand-off had no room for the others" : "";
  return `${thousands(told)} of ${thousands(total)} must-keeps are in the hand-off${rest}`;
}

/** What became of the summary, in a line. */
function summaryLines({ summary }: Report, width: number): readonly string[] {
  if (!summary) return [];
  const { summarizer, coverage, putBack, missing, invented, struck, failure, cost } = summary;
  const told =
    summarizer === undefined
      ? `no summary: ${failure ?? "none was made"} The hand-off is the deterministic one.`
      : `summary by ${summarizer}: it held ${percent(coverage)} of what must stay, ` +
        (missing
          ? `${missing.length} said nowhere, ${counted(invented.length, "invented specific")} in it`
          : `${putBack} put back, ${counted(struck, "sentence")} struck for ${counted(invented.length, "invented specific")}`);
  return [cut(printable(told), width), ...(cost ? [costLine(cost)] : [])];
}

function costLine({ inputTokens, cachedTokens, outputTokens, billed, saves }: SummaryCost): string {
  const calls = `${thousands(inputTokens)} tokens in, ${thousands(cachedTokens)} of them cached, ${thousands(outputTokens)} out`;
  const next = `${thousands(Math.abs(saves))} ${saves < 0 ? "more" : "less"}`;
  return `it cost ${calls}: ${thousands(billed)} in fresh input tokens; the next request costs ${next} by it`;
}

/** What only the user can put right. */
function conflictLines({ conflicts }: Health, width: number): readonly string[] {
  return conflicts.map(({ earlier, later }) =>
    cut(printable(`"${earlier.text}" and "${later.text}" conflict: ask the user`), width),
  );
}

const shownMessages = 10;

/** The messages that gave most, largest first. */
function messageLines({ messages, archive, maskedSecrets = 0 }: Report, width: number): readonly string[] {
  const fates = (["kept", "changed", "removed"] as const).map(
    (fate) => `${thousands(messages.filter((message) => message.fate === fate).length)} ${fate}`,
  );
  const most = messages
    .filter((message) => message.fate !== "kept")
    .sort((left, right) => savedBy(right) - savedBy(left))
    .slice(0, shownMessages);
  const rows = most.map((message) => [
    String(message.position),
    message.role,
    thousands(message.tokensBefore),
    message.fate === "removed" ? "-" : thousands(message.tokensAfter),
    message.stage ?? "",
    message.reason ?? "",
  ]);
  const header = ["message", "role", "before", "after", "stage", "why"];
  const masked = maskedSecrets > 0 ? `, ${counted(maskedSecrets, "secret")} masked there` : "";
  const originals =
    archive === "none" ? "no archive: the originals are not kept" : `originals in ${archive}${masked}`;
  return [
    cut(printable(`${counted(messages.length, "message")}: ${fates.join(", ")}; ${originals}`), width),
    ...(rows.length > 0 ? table([header, ...rows], { right: [0, 2, 3], width }) : []),
  ];
}

function savedBy(message: MessageReport): number {
  return message.tokensBefore - message.tokensAfter;
}

function share(part: number, whole: number): string {
  return whole > 0 ? percent(part / whole) : "0%";
}
