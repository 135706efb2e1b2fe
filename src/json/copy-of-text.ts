/** A text that was cut out of another one keeps all of that in memory; its copy does not. */
export function copyOfText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
