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

export function textOfHtml(html: string): string {
  if (!html.includes("<") && !html.includes("&")) return html;
  const lines: string[] = [];
  let line = "";
  let skipped = 0;
  let preformatted = 0;
  let address = "";
  const endLine = (): void => {
    const plain = line.replace(/\s+/g, " ").trim();
    if (plain !== "" && plain !== "#" && plain !== "-") lines.push(plain);
    line = "";
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      if (SKIPPED.has(name)) skipped++;
      if (name === "pre") preformatted++;
      if (BLOCKS.has(name)) endLine();
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
    },
  });
  parser.write(html.slice(0, MOST_PARSED_CHARS));
  parser.end();
  endLine();
  return lines.join("\n") + withoutTags(html.slice(MOST_PARSED_CHARS));
}

function withoutTags(html: string): string {
  return html === "" ? "" : `\n${html.replace(/<[^<>]{0,2000}>/g, " ")}`;
}
