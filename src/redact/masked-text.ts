/** MaskedText: text that others may read, in logs, errors and exports. Only masking makes one. */

declare const masked: unique symbol;

/** A string in every other respect; put together with other text it is a plain string again. */
export type MaskedText = string & { readonly [masked]: true };
