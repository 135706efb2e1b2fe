/** Whether a stream wants colour: a terminal, and nobody said NO_COLOR. */
export function colored(stream: NodeJS.WriteStream): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env;
  if (NO_COLOR) return false;
  return Boolean(FORCE_COLOR) || (stream.isTTY && process.env.TERM !== "dumb");
}
