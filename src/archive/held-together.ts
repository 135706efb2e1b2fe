/** heldTogether: which pieces go with the ones to forget, since they hold the same text. */

export interface HeldText {
  readonly id: string;
  readonly text: string;
}

/**
 * A long piece that was cut from a message stands in the message as well, and the other way round: erasing one of them
 * alone would erase nothing. Gives the ids to erase, the given ones included.
 *
 * @param messages the searchable texts of the conversations that the ids belong to
 * @param pieces the items of kind `text` of the same conversations
 */
export function heldTogether(
  ids: Iterable<string>,
  { messages, pieces }: { readonly messages: readonly HeldText[]; readonly pieces: readonly HeldText[] },
): ReadonlySet<string> {
  const erased = new Set(ids);
  const long = pieces.filter(({ text }) => text.length >= CUT_FROM_A_MESSAGE);
  const asked = new Set(erased);
  for (const piece of long) {
    for (const message of messages) {
      if ((!asked.has(piece.id) && !asked.has(message.id)) || !message.text.includes(piece.text)) continue;
      erased.add(piece.id);
      erased.add(message.id);
    }
  }
  return erased;
}

/** A shorter piece may stand anywhere by chance. Pieces are cut out since they are long, so none is missed. */
const CUT_FROM_A_MESSAGE = 100;
