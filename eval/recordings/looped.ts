/** looped: a recording that goes on and on, by its messages said again and again; call ids stay unique. */

/** @param times the messages are said at most so often */
export function* looped<Message>(messages: readonly Message[], times = 30): Generator<Message> {
  yield* messages;
  for (let round = 2; round <= times; round++) {
    const again = JSON.stringify(messages, (key, value) =>
      isCallId(key, value) ? `${value}-${round}` : value,
    );
    yield* (JSON.parse(again) as Message[]).filter(
      (message) => (message as { role?: string }).role !== "system",
    );
  }
}

function isCallId(key: string, value: unknown): boolean {
  return (
    typeof value === "string" &&
    (key === "tool_call_id" || key === "tool_use_id" || (key === "id" && /^(?:call|toolu|fc)/.test(value)))
  );
}
