/** Where one piece of work ends and the next begins, by what the messages on both sides of a cut say and do (F61). */
import { type Message, makesCalls, proseOf, toolCallsOf, toolResultsOf } from "../conversation/message.ts";
import type { Group } from "../conversation/turn.ts";
import type { Action } from "../reading/calls/action.ts";
import { type Deed, deedOf } from "../reading/calls/deed.ts";
import { actionsOf } from "../reading/calls/read-call.ts";
import { isSaidByPerson, userWordsOf } from "../reading/user-words.ts";
import { forEachWord } from "../text/words.ts";

/** How clearly a piece of work ends before `after`: 0 not at all, 3 where a person turns to something else. */
export function boundaryStrength(
  messages: readonly Message[],
  before: Group | undefined,
  after: Group,
): number {
  const next = messages[after.start]!;
  const words = userWordsOf(next);
  if (isSaidByPerson(words)) return isNewTopic(words, said(messages, after.start)) ? 3 : 2;
  if (!before) return 0;
  const deeds = deedsIn(messages, before);
  if (deeds.some(endsStep)) return 2;
  const last = messages[before.start]!;
  return deeds.some(passes) || saysDone(next) || (!makesCalls(last) && saysDone(last)) ? 1 : 0;
}

/** What the calls of a group came to. */
export function deedsIn(messages: readonly Message[], { start, end }: Group): readonly Deed[] {
  const calls = toolCallsOf(messages[start]!);
  if (calls.length === 0) return NONE;
  const results = messages.slice(start + 1, end).flatMap(toolResultsOf);
  return calls.flatMap((call) => {
    const result = results.find(({ pairId }) => pairId === call.pairId);
    if (!result) return [];
    return [deedOf({ pairId: call.pairId, tool: call.name, actions: actionsOf(call) }, result)];
  });
}

const NONE: readonly Deed[] = [];

/** A step of the plan was ticked off, or the work was committed. */
function endsStep({ failed, done, commands }: Deed): boolean {
  if (failed) return false;
  return done.some(ticksOff) || commands.some((command) => COMMIT.test(command));
}

function ticksOff({ todos }: Action): boolean {
  return todos?.some(({ status }) => status === "done") ?? false;
}

/** Tests, a build or a check went well. */
function passes({ failed, running, commands }: Deed): boolean {
  return !failed && !running && commands.some((command) => CHECK.test(command));
}

const COMMIT = /\b(?:git|hg|jj)\b[^|;&]{0,80}?\s(?:commit|push|merge)\b/;
const CHECK = /\b(?:tests?|pytest|jest|vitest|rspec|build|lint|typecheck|tsc|clippy)\b/;

/** The assistant says, where it starts or stops talking, that something is done. */
function saysDone(message: Message): boolean {
  if (message.role !== "assistant") return false;
  const prose = proseOf(message);
  return DONE.test(prose.slice(0, SENTENCE_CHARS)) || DONE.test(prose.slice(-SENTENCE_CHARS));
}

const SENTENCE_CHARS = 160;
const DONE =
  /\b(?:done|completed?|finished|(?:is|are|was|were|now) (?:fixed|resolved|implemented|working)|all (?:\w+ )?(?:tests|checks) (?:pass|are passing|green)|tests (?:now )?pass)\b|[✅✔🎉]/iu;

const LOOKED_AT_CHARS = 2000;
/** A new ask shares fewer of its words than this with what was said before it. */
const SHARED_WORDS = 0.25;
/** Fewer words than this ("go on", "yes") are no topic of their own. */
const FEWEST_WORDS = 4;

/** Low lexical overlap: hardly any of the ask's words were in the ask and the answer before it. */
function isNewTopic(words: string, before: string): boolean {
  const own = new Set<number>();
  forEachWord(words.slice(0, LOOKED_AT_CHARS), (hash) => own.add(hash));
  const { size } = own;
  if (size < FEWEST_WORDS) return false;
  forEachWord(before, (hash) => own.delete(hash));
  return size - own.size < size * SHARED_WORDS;
}

/** The person's last words before a message and the assistant's last ones, as far as a few messages back. */
function said(messages: readonly Message[], before: number): string {
  let answer = "";
  for (let at = before - 1; at >= 0 && before - at <= LOOKED_BACK; at--) {
    const message = messages[at]!;
    const words = userWordsOf(message);
    if (isSaidByPerson(words)) return `${words.slice(0, LOOKED_AT_CHARS)}\n${answer}`;
    if (answer === "" && message.role === "assistant") answer = proseOf(message).slice(-LOOKED_AT_CHARS);
  }
  return answer;
}

const LOOKED_BACK = 200;
