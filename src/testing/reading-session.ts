/** Reading session: turn after turn the agent is asked about a module, reads it and tells what it does. No two texts are alike. */
import { assistant, call, rawConversation, result, user, type WireMessage } from "./builders.ts";

export interface ReadingTurnOptions {
  /** How long the modules are. @default 60 */
  readonly lines?: number;
}

export function readingTurn(at: number, { lines = 60 }: ReadingTurnOptions = {}): readonly WireMessage[] {
  const code = Array.from(
    { length: lines },
    (_, line) => `export const value${at}x${line} = compute(${at * line + 7});`,
  );
  return [
    user(`Look at module ${at} and tell me what it does.`),
    assistant(`Reading module ${at}.`, call("read_file", { path: `src/module-${at}.ts` }, `call-${at}`)),
    result(code.join("\n"), { id: `call-${at}` }),
    assistant(`Module ${at} exports computed values, the first is value${at}x0.`),
  ];
}

/** So many turns after the opening. */
export function readingSession(turns: number, ...opening: readonly WireMessage[]): readonly WireMessage[] {
  return rawConversation(...opening, ...Array.from({ length: turns }, (_, at) => readingTurn(at)).flat());
}
