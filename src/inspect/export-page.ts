/** exportPage: the inspector's page with what it shows inside it: one file that needs no server, secrets redacted. */
import { createHash } from "node:crypto";
import { OptionsError } from "../errors/options-error.ts";
import { maskJson } from "../redact/mask-json.ts";
import type { CostReader } from "./cost.ts";
import type { Inspector } from "./inspector.ts";
import { MOST_LINES } from "./item-view.ts";
import type { PageFiles } from "./page-files.ts";
import { MOST_MESSAGES } from "./request-fields.ts";
import type { CompactionView, CostView, ExportedAnswers, ItemView, MessageView } from "./views.ts";

export interface ExportOptions {
  readonly inspector: Inspector;
  readonly cost: CostReader;
  readonly page: PageFiles;
  /** The conversations to show. @default all */
  readonly conversations?: readonly string[] | undefined;
}

/** A page with more is nothing to send. */
const MOST_CONVERSATIONS = 50;
const MOST_CHARACTERS = 200_000_000;

/** The text of the page. Throws OptionsError where there is too much to show in one page. */
export async function exportPage({ inspector, cost, page, conversations }: ExportOptions): Promise<string> {
  const all = await inspector.conversations();
  const rows = conversations ? all.filter(({ id }) => conversations.includes(id)) : all;
  if (rows.length > MOST_CONVERSATIONS)
    throw new OptionsError(
      "--export",
      `--export: there are ${rows.length} conversations, and a page shows ${MOST_CONVERSATIONS} at most. Name some: --conversation NAME.`,
    );
  const answers: Record<string, unknown> = {
    "api/session": { ...inspector.session(), readOnly: true, live: false, exported: true },
    "api/conversations": rows,
  };
  for (const { id } of rows) Object.assign(answers, await answersAbout(id, inspector, cost));
  return pageWith(answers, page);
}

async function answersAbout(id: string, inspector: Inspector, cost: CostReader): Promise<ExportedAnswers> {
  const name = encodeURIComponent(id);
  const view = await inspector.conversation(id);
  const messages: MessageView[] = [];
  for (let from = 0; from < view.messages; from += MOST_MESSAGES)
    messages.push(...(await inspector.messages(id, { from, count: MOST_MESSAGES })));
  const compactions: CompactionView[] = [];
  for (const mark of view.compactions) compactions.push(await inspector.compaction(mark.id));
  const opened = new Set([...messages.map((message) => message.id), ...compactions.flatMap(idsIn)]);
  const items: [string, ItemView][] = [];
  for (const item of opened)
    items.push([`api/items/${encodeURIComponent(item)}`, await wholeItem(item, inspector)]);
  return {
    [`api/conversations/${name}`]: view,
    [`api/conversations/${name}/messages`]: messages,
    ...Object.fromEntries(
      compactions.map((each) => [`api/compactions/${encodeURIComponent(each.id!)}`, each]),
    ),
    ...Object.fromEntries(items),
    [`api/cost/${name}`]: await finalCost(id, cost),
  };
}

/** Whatever a row of it can open. */
function idsIn({ rows }: CompactionView): readonly string[] {
  return rows.flatMap(({ before, after, originalId }) =>
    [before?.id, after?.id, originalId].filter((id) => id !== undefined),
  );
}

async function wholeItem(id: string, inspector: Inspector): Promise<ItemView> {
  const first = await inspector.item(id, { from: 0, count: MOST_LINES, raw: false });
  const lines = [...first.lines];
  while (lines.length < first.total) {
    const more = await inspector.item(id, { from: lines.length, count: MOST_LINES, raw: false });
    if (more.lines.length === 0) break;
    lines.push(...more.lines);
  }
  return { ...first, lines };
}

async function finalCost(id: string, cost: CostReader): Promise<CostView> {
  for (;;) {
    const view = await cost(id, {});
    if (view.state !== "running") return view;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/** The built page with its script, its style and the data in place of what it would load. */
function pageWith(answers: ExportedAnswers, page: PageFiles): string {
  const data = maskJson(JSON.stringify(answers)).text;
  if (data.length > MOST_CHARACTERS)
    throw new OptionsError(
      "--export",
      "--export: that is too much for one page. Name fewer: --conversation NAME.",
    );
  const html = textOf(page, "index.html");
  const script = asInlineScript(textOf(page, only(page, ".js", "worker")));
  const style = textOf(page, only(page, ".css"));
  const policy =
    `default-src 'none'; script-src '${hashOf(script)}'; style-src '${hashOf(style)}'; img-src data:; ` +
    "base-uri 'none'; form-action 'none'";
  const head =
    `<meta http-equiv="Content-Security-Policy" content="${policy}">` +
    `<meta name="referrer" content="no-referrer"><style>${style}</style>`;
  const end =
    `<script type="application/json" id="pith-data">${asInlineData(data)}</script>` +
    `<script type="module">${script}</script>`;
  // Functions, since `$&` in a replacement would be read as a command.
  return html
    .replace(/<script\b[^>]*\bsrc=[^>]*><\/script>/g, "")
    .replace(/<link\b[^>]*\brel="stylesheet"[^>]*>/g, "")
    .replace(/<meta charset="utf-8"\s*\/?>/i, (charset) => charset + head)
    .replace("</body>", () => `${end}</body>`);
}

/** A `</script` or `<!--` in a string or an expression would end the element; written so, they mean the same. */
function asInlineScript(script: string): string {
  return script.replace(/<(?=\/script|!--)/gi, "\\x3c");
}

/** Nothing in it can end the element, since there is no `<` left. */
function asInlineData(json: string): string {
  return json.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

function hashOf(text: string): string {
  return `sha256-${createHash("sha256").update(text).digest("base64")}`;
}

function textOf(page: PageFiles, name: string): string {
  return page.get(name)!.bytes.toString();
}

function only(page: PageFiles, ending: string, except = "\0"): string {
  return [...page.keys()].find((name) => name.endsWith(ending) && !name.includes(except))!;
}
