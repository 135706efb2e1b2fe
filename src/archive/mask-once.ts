/** maskOnce: has a store mask what an earlier version left in clear, once, before anything else is written, and say so. */
import { redactSecrets } from "../redact/redact-secrets.ts";

/** Hears in how many items and messages of the archive secrets were masked that an earlier version had stored in clear. */
export type OnMasked = (count: number) => void;

/** @param mask gives the count; asked again only after it failed */
export function maskOnce(mask: () => Promise<number>, onMasked: OnMasked): () => Promise<number> {
  let masking: Promise<number> | undefined;
  return () => {
    masking ??= mask().then(
      (count) => {
        if (count > 0) onMasked(count);
        return count;
      },
      (error: unknown) => {
        masking = undefined;
        throw error;
      },
    );
    return masking;
  };
}

/** One line on stderr. */
export function tellMasked(archive: string): OnMasked {
  return (count) =>
    void process.stderr.write(
      redactSecrets(
        `pith: masked secrets in ${count} items and messages that an earlier version had stored in ${archive}\n`,
      ).text,
    );
}
