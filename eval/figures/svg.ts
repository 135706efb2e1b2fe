/** The few SVG elements that the plots are made of. */

type Point = readonly [x: number, y: number];

interface DocumentOptions {
  readonly width: number;
  readonly height: number;
  readonly title: string;
  readonly content: readonly string[];
}

export function document({ width, height, title, content }: DocumentOptions): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="system-ui, sans-serif" font-size="13">
<title>${escaped(title)}</title>
<rect width="${width}" height="${height}" rx="10" fill="#ffffff"/>
${content.filter(Boolean).join("\n")}
</svg>
`;
}

interface LineOptions {
  readonly from: Point;
  readonly to: Point;
  readonly colour: string;
  readonly width?: number;
  readonly opacity?: number;
}

export function line({ from, to, colour, width = 1, opacity = 1 }: LineOptions): string {
  return `<line x1="${short(from[0])}" y1="${short(from[1])}" x2="${short(to[0])}" y2="${short(to[1])}" stroke="${colour}" stroke-width="${width}" stroke-opacity="${opacity}"/>`;
}

export function path(points: readonly Point[], stroke: { colour: string; width: number }): string {
  const places = points.map(([x, y]) => `${short(x)},${short(y)}`).join(" ");
  return `<polyline points="${places}" fill="none" stroke="${stroke.colour}" stroke-width="${stroke.width}"/>`;
}

export function circle({ at, radius, colour }: { at: Point; radius: number; colour: string }): string {
  return `<circle cx="${short(at[0])}" cy="${short(at[1])}" r="${radius}" fill="${colour}"/>`;
}

interface RectOptions {
  readonly at: Point;
  readonly size: Point;
  readonly colour: string;
  readonly opacity?: number;
}

export function rect({ at, size, colour, opacity = 1 }: RectOptions): string {
  return `<rect x="${short(at[0])}" y="${short(at[1])}" width="${short(size[0])}" height="${short(size[1])}" fill="${colour}" fill-opacity="${opacity}"/>`;
}

interface TextOptions {
  readonly at: Point;
  readonly colour: string;
  readonly anchor?: "start" | "middle" | "end";
  readonly isBold?: boolean;
}

export function text(words: string, { at, colour, anchor = "start", isBold = false }: TextOptions): string {
  const weight = isBold ? ' font-weight="600"' : "";
  return `<text x="${short(at[0])}" y="${short(at[1])}" text-anchor="${anchor}" fill="${colour}"${weight}>${escaped(words)}</text>`;
}

function short(value: number): string {
  return String(Math.round(value * 10) / 10);
}

function escaped(words: string): string {
  return words.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
