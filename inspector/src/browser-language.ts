/**
 * On a machine without a language, Chromium names its own "en-US@posix", which its own Intl then refuses; uPlot asks with it
 * as soon as it is loaded. Imported before anything else.
 */
if (!isKnown(navigator.language)) Object.defineProperty(navigator, "language", { value: "en-US" });

function isKnown(language: string): boolean {
  try {
    return Intl.NumberFormat.supportedLocalesOf(language).length > 0;
  } catch {
    return false;
  }
}
