/** The text of an HTML page, one block per line: title, headings, paragraphs, list items, links with their address. */
import { Parser } from "htmlparser2";

/** What lies beyond this is read by taking the tags off only. */
const MOST_PARSED_CHARS = 2_000_000;
const SKIPPED = new Set(["script", "style", "svg", "noscript", "template", "iframe", "canvas"]);
const BLOCKS = new Set(
  "address article aside blockquote body br dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 head header hr html li main nav ol option p pre section select table tbody td tfoot th thead title tr ul".split(
    " ",
  ),
);
const HEADING = /^h[1-6]$/;

/** What is around the text of a page, and what holds it. */
const CHROME = new Set(["nav", "footer", "aside", "header", "menu", "dialog"]);
const MAIN = new Set(["main", "article"]);
/** A main part with less text than this is no main part. */
const LEAST_MAIN_CHARS = 200;

export interface HtmlLine {
  readonly text: string;
  /** It belongs to what the page is about: no menu, no footer, and inside the main part where the page has one. */
  readonly isMain: boolean;
}

export function textOfHtml(html: string): string {
  return linesOfHtml(html)
    .map(({ text }) => text)
    .join("\n");
}

export function linesOfHtml(html: string): readonly HtmlLine[] {
  if (!html.includes("<") && !html.includes("&")) {
    return html.split("\n").map((text) => ({ text, isMain: true }));
  }
  const lines: { readonly text: string; readonly inMain: boolean; readonly inChrome: boolean }[] = [];
  let main = 0;
  let chrome = 0;
  let line = "";
  let skipped = 0;
  let preformatted = 0;
  let address = "";
  const endLine = (): void => {
    const plain = line.replace(/\s+/g, " ").trim();
    if (plain !== "" && plain !== "#" && plain !== "-") {
      lines.push({ text: plain, inMain: main > 0, inChrome: chrome > 0 });
    }
    line = "";
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (SKIPPED.has(name)) skipped++;
      if (name === "pre") preformatted++;
      if (BLOCKS.has(name)) endLine();
      if (MAIN.has(name)) main++;
      // A header inside the main part is its title.
      if (CHROME.has(name) && !(name === "header" && main > 0)) chrome++;
      if (name === "title" || HEADING.test(name))
        line = `${"#".repeat(name === "title" ? 1 : Number(name[1]))} `;
      else if (name === "li") line = "- ";
      else if (name === "a") address = attributes.href ?? "";
    },
    ontext(text) {
      if (skipped > 0) return;
      const pieces = text.split("\n");
      line += pieces[0];
      for (const piece of pieces.slice(1)) {
        if (preformatted > 0 || line.length > 200) endLine();
        line += ` ${piece}`;
      }
    },
    onclosetag(name) {
      if (SKIPPED.has(name)) skipped = Math.max(0, skipped - 1);
      if (name === "pre") preformatted = Math.max(0, preformatted - 1);
      if (name === "a" && /^(?:https?:|\/)/.test(address)) line += ` (${address.slice(0, 300)})`;
      if (name === "a") address = "";
      if (BLOCKS.has(name)) endLine();
      if (MAIN.has(name)) main = Math.max(0, main - 1);
      if (CHROME.has(name) && !(name === "header" && main > 0)) chrome = Math.max(0, chrome - 1);
    },
  });
  parser.write(html.slice(0, MOST_PARSED_CHARS));
  parser.end();
  endLine();
  const inMain = lines.filter((each) => each.inMain && !each.inChrome);
  const hasMain = inMain.reduce((sum, { text }) => sum + text.length, 0) >= LEAST_MAIN_CHARS;
  const read = lines.map((each) => ({
    text: each.text,
    isMain: !each.inChrome && (each.inMain || !hasMain),
  }));
  const rest = html.slice(MOST_PARSED_CHARS);
  return rest === "" ? read : [...read, ...withoutTags(rest).map((text) => ({ text, isMain: true }))];
}

function withoutTags(html: string): readonly string[] {
  return html.replace(/<[^<>]{0,2000}>/g, " ").split("\n");
}
