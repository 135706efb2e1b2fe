/** What is no conversation: a list in which nobody speaks, or nobody says anything, is refused with what was found and what is expected. */
import { InputError } from "../errors/input-error.ts";
import { isObject, type WireObject } from "../json/wire-value.ts";
import { openAIResponses } from "./openai-responses/format.ts";
import { hasContent, typeOf } from "./openai-responses/read.ts";
import { ROLES, roleNamed } from "./roles.ts";

/** Throws InputError. Looks no further than the first message that speaks and the first that says something. */
export function refuseOther(list: Iterable<unknown>, format: string): void {
  const items: WireObject[] = [];
  let isSpoken = false;
  let isSaid = false;
  for (const value of list) {
    const item = isObject(value) ? value : {};
    items.push(item);
    // An item of the Responses API says by its type whose it is, and what.
    const isItem = format === openAIResponses.name && !hasContent(typeOf(item));
    isSpoken ||= isItem || roleNamed(item.role, ROLES) !== "other";
    isSaid ||= isItem || saysSomething(item);
    if (isSpoken && isSaid) return;
  }
  if (items.length > 0) throw new InputError(`${foundIn(items, isSpoken)} ${EXPECTED}`);
}

/** By its shape: a content of null is one, too. */
function saysSomething(item: WireObject): boolean {
  return "content" in item || "tool_calls" in item || "function_call" in item;
}

const EXPECTED =
  'Expected messages such as {"role": "user", "content": "…"}, with the role system, developer, user, assistant, tool or function; ' +
  "human is read as user, and model, ai and bot as assistant.";

function foundIn(items: readonly WireObject[], isSpoken: boolean): string {
  const [what, article] = isSpoken ? ["content, calls or results", ""] : ["known role", "a "];
  const none =
    items.length === 1
      ? `its only message has no ${what}`
      : `none of its ${items.length} messages has ${article}${what}`;
  const roles = new Set(items.flatMap(({ role }) => (typeof role === "string" ? [role] : [])));
  const found = isSpoken || roles.size === 0 ? "" : `roles found: ${listed([...roles])}; `;
  const hasParts = isSpoken && items.some(({ parts }) => Array.isArray(parts));
  const gemini = hasParts ? " Messages with `parts`, such as a Gemini `contents` list, are not read." : "";
  return `This is no conversation: ${none} (${found}keys of the first: ${listed(Object.keys(items[0]!))}).${gemini}`;
}

function listed(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMES).map((name) => JSON.stringify(name.slice(0, MOST_CHARS)));
  return `${shown.join(", ")}${names.length > MOST_NAMES ? " and others" : ""}`;
}

const MOST_NAMES = 5;
const MOST_CHARS = 40;
