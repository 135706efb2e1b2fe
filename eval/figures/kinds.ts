/** The kinds of sizes that are measured, in the order of tables. */
export const kindTitles: Readonly<Record<string, string>> = {
  "cut 0.3": "30 %",
  "cut 0.1": "10 %",
  "cut 0.03": "3 %",
  recorded: "summary's size",
  "short 0.5": "short, 50 %",
  "short 0.3": "short, 30 %",
};
