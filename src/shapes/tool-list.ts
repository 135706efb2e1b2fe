/** Tells a list of descriptions of tools by their names and parameters: the descriptions are for choosing, and the call needs these. */

import { isObject } from "../json/wire-value.ts";
import { parseJson } from "./json.ts";
import type { RecordLine } from "./record-uses.ts";

interface Tool {
  readonly server: string;
  readonly name: string;
  /** What may be left out has a question mark. */
  readonly parameters: readonly string[];
}

/** `fs read_file(path, limit?)`, a line each; undefined where a text describes no tools. */
export function toolLines(text: string): readonly RecordLine[] | undefined {
  if (!SCHEMA.test(text) || !DESCRIPTION.test(text)) return undefined;
  const value = parseJson(text.trim());
  const tools = value === undefined ? toolsInLines(text.split("\n")) : toolsIn(value);
  if (tools.length === 0) return undefined;
  const told = tools.map(({ server, name, parameters }) => {
    const of = server === "" ? "" : `${server} `;
    return {
      text: `  ${of}${name}(${parameters.slice(0, MOST_PARAMETERS).join(", ")})`,
      used: 0,
      under: true,
    };
  });
  return [
    {
      text: `${tools.length} ${tools.length === 1 ? "row" : "rows"}; tool(parameters)`,
      used: 0,
      leads: true,
    },
    ...told,
  ];
}

const SCHEMA = /\binput_?schema\b|"parameters"\s*:\s*\{/i;
const DESCRIPTION = /description/i;
const MOST_PARAMETERS = 16;
/** Answers are not nested deeper than this. */
const MOST_DEPTH = 6;

function toolsIn(value: unknown, depth = 0): readonly Tool[] {
  if (depth > MOST_DEPTH) return [];
  if (Array.isArray(value)) return value.flatMap((each) => toolsIn(each, depth + 1));
  if (!isObject(value)) return [];
  const name = value.tool_name ?? value.name;
  const schema = value.inputSchema ?? value.input_schema ?? value.inputschema ?? value.parameters;
  if (typeof name !== "string" || !isObject(schema))
    return Object.values(value).flatMap((each) => toolsIn(each, depth + 1));
  const properties = isObject(schema.properties) ? schema.properties : schema;
  const required = Array.isArray(schema.required) ? schema.required : undefined;
  const isOptional = (key: string) => required !== undefined && !required.includes(key);
  const parameters = Object.keys(properties).map((key) => (isOptional(key) ? `${key}?` : key));
  const server = value.server_name ?? value.server;
  return [{ server: typeof server === "string" ? server : "", name, parameters }];
}

const SERVER = /^\s*(?:- )?server(?:_name)?: *(\S.*)$/;
const NAME = /^\s*(?:- )?(?:tool_)?name: *["']?([\w./:-]+)["']?$/;
const SCHEMA_LINE = /^( *)(?:- )?(?:input_?schema|parameters):/i;
const PARAMETER = /^( +)([\w.-]+): ?(.*)$/;

/** The same as YAML writes it; a parameter is one step further in than the word that opens them. */
function toolsInLines(lines: readonly string[]): readonly Tool[] {
  const tools: { server: string; name: string; parameters: string[] }[] = [];
  let server = "";
  let schema: number | undefined;
  let inner: number | undefined;
  for (const line of lines) {
    const [, indent = "", key = "", about = ""] = PARAMETER.exec(line) ?? [];
    if (schema !== undefined && key !== "" && indent.length > schema) {
      inner ??= indent.length;
      if (indent.length === inner) tools.at(-1)?.parameters.push(/\(optional/i.test(about) ? `${key}?` : key);
      continue;
    }
    const opens = SCHEMA_LINE.exec(line);
    const name = NAME.exec(line)?.[1];
    server = SERVER.exec(line)?.[1] ?? server;
    if (name !== undefined) tools.push({ server, name, parameters: [] });
    if (opens || key !== "" || line.startsWith("- ")) schema = opens ? opens[1]!.length : undefined;
    inner = undefined;
  }
  return tools;
}
