/** paint: what is printed to a terminal, in bold, dim or red; plain where colour is off. */
import util from "node:util";

export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
}

export function createPaint(color: boolean): Paint {
  const style = (name: keyof Paint) => (text: string) =>
    color ? util.styleText(name, text, { validateStream: false }) : text;
  return { bold: style("bold"), dim: style("dim"), red: style("red") };
}
