/** Colours that the plots share. */
export const colours = {
  pith: "#10a37f",
  plain: "#9ca3af",
  model: "#d6a12f",
  ink: "#1f2937",
  grid: "#e5e7eb",
} as const;
