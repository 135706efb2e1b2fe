/** smallPng: a screenshot with at most 256 colours, the most frequent ones, in a third of the bytes. */
import { crc32, deflateSync, inflateSync } from "node:zlib";

interface Picture {
  readonly width: number;
  readonly height: number;
  /** Three bytes for each pixel. */
  readonly pixels: Buffer;
}

/** Takes what Chromium writes: eight bits for red, green and blue, no transparency. */
export function smallPng(png: Buffer): Buffer {
  const { width, height, pixels } = decoded(png);
  const counts = new Map<number, number>();
  for (let at = 0; at < pixels.length; at += 3) {
    const colour = pixels.readUIntBE(at, 3);
    counts.set(colour, (counts.get(colour) ?? 0) + 1);
  }
  const palette = [...counts.keys()].sort((a, b) => counts.get(b)! - counts.get(a)!).slice(0, 256);
  const places = new Map([...counts.keys()].map((colour) => [colour, nearest(colour, palette)]));
  const rows = Buffer.alloc((width + 1) * height);
  for (let pixel = 0; pixel < width * height; pixel++) {
    rows[pixel + Math.floor(pixel / width) + 1] = places.get(pixels.readUIntBE(pixel * 3, 3))!;
  }
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([8, 3], 8);
  const colours = Buffer.alloc(palette.length * 3);
  for (const [place, colour] of palette.entries()) colours.writeUIntBE(colour, place * 3, 3);
  return Buffer.concat([
    png.subarray(0, 8),
    chunk("IHDR", header),
    chunk("PLTE", colours),
    chunk("IDAT", deflateSync(rows, { level: 9, memLevel: 9 })),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function nearest(colour: number, palette: readonly number[]): number {
  const far = (other: number) =>
    [16, 8, 0].reduce((sum, shift) => sum + (((colour >> shift) & 255) - ((other >> shift) & 255)) ** 2, 0);
  let best = 0;
  for (const [place, other] of palette.entries()) if (far(other) < far(palette[best]!)) best = place;
  return best;
}

function chunk(type: string, data: Buffer): Buffer {
  const framed = Buffer.alloc(data.length + 12);
  framed.writeUInt32BE(data.length, 0);
  framed.write(type, 4, "latin1");
  framed.set(data, 8);
  framed.writeUInt32BE(crc32(framed.subarray(4, data.length + 8)), data.length + 8);
  return framed;
}

function decoded(png: Buffer): Picture {
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
  const data: Buffer[] = [];
  for (let at = 8; at < png.length; at += png.readUInt32BE(at) + 12) {
    if (png.toString("latin1", at + 4, at + 8) === "IDAT")
      data.push(png.subarray(at + 8, at + 8 + png.readUInt32BE(at)));
  }
  const rows = inflateSync(Buffer.concat(data));
  const stride = width * 3;
  const pixels = Buffer.alloc(stride * height);
  for (let row = 0; row < height; row++) {
    const filter = rows[row * (stride + 1)]!;
    for (let x = 0; x < stride; x++) {
      const here = row * stride + x;
      const left = x >= 3 ? pixels[here - 3]! : 0;
      const up = row > 0 ? pixels[here - stride]! : 0;
      const corner = x >= 3 && row > 0 ? pixels[here - stride - 3]! : 0;
      pixels[here] = rows[row * (stride + 1) + 1 + x]! + predicted(filter, left, up, corner);
    }
  }
  return { width, height, pixels };
}

/** The five filters of PNG: none, left, up, average, Paeth. */
function predicted(filter: number, left: number, up: number, corner: number): number {
  if (filter < 3) return [0, left, up][filter]!;
  if (filter === 3) return (left + up) >> 1;
  const guess = left + up - corner;
  const [toLeft, toUp, toCorner] = [left, up, corner].map((value) => Math.abs(guess - value));
  if (toLeft! <= toUp! && toLeft! <= toCorner!) return left;
  return toUp! <= toCorner! ? up : corner;
}
