/** Media prices: what an image, a sound or a document costs, which is priced rather than read. */
import type { MediaPart } from "../conversation/part.ts";

/** The rule that prices an image of known size: by tiles of 512 × 512, or by its area. */
export type ImagePricing = "tiles" | "area";

/** Prices of media whose size the wire does not say. */
export const FLAT_PRICES: Readonly<Record<MediaPart["kind"], number>> = {
  /** The upper end of what providers charge for one large image. */
  image: 1600,
  /** About half a minute at 32 tokens a second. */
  audio: 1000,
  /** About one dense page, as text and as picture. */
  document: 3000,
};

/** Tokens of a media part. */
export function mediaTokens(part: MediaPart, pricing: ImagePricing = "tiles"): number {
  if (part.kind !== "image") return FLAT_PRICES[part.kind] ?? FLAT_PRICES.image;
  if (pricing === "tiles" && part.detail === "low") return LOW_DETAIL;
  const [width, height] = part.size ?? [0, 0];
  if (!(width > 0 && height > 0)) return FLAT_PRICES.image;
  return pricing === "area" ? byArea(width, height) : byTiles(width, height);
}

const LOW_DETAIL = 85;

/** Fitted into 2048 × 2048, then the short side to 768; 85 and 170 for each tile of 512 × 512. */
function byTiles(width: number, height: number): number {
  const fit = Math.min(1, 2048 / Math.max(width, height));
  const scale = fit * Math.min(1, 768 / (Math.min(width, height) * fit));
  // A sliver scaled below one pixel is still a tile.
  const tiles = (side: number): number => Math.max(1, Math.ceil((side * scale) / 512));
  return LOW_DETAIL + 170 * tiles(width) * tiles(height);
}

/** Width × height / 750; the provider scales an image down that would cost more than about 1,600. */
function byArea(width: number, height: number): number {
  return Math.min(FLAT_PRICES.image, Math.ceil((width * height) / 750));
}
