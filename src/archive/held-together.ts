/** heldTogether: which pieces go with the ones to forget, since they hold the same text. */

export interface HeldText {
  readonly id: string;
  readonly text: string;
}

/**
 * A long piece that was cut from a message, or from a longer piece, is in that as well, and the other way round: erasing
 * one of them alone would erase nothing. Gives the ids to erase, the given ones included.
 *
 * @param messages the searchable texts of the conversations that the ids belong to
 * @param pieces the items of kind `text` of the same conversations
 */
export function heldTogether(
  ids: Iterable<string>,
  { messages, pieces }: { readonly messages: readonly HeldText[]; readonly pieces: readonly HeldText[] },
): ReadonlySet<string> {
  const asked = new Set(ids);
  const erased = new Set(asked);
  const long = pieces.filter(({ text }) => text.length >= CUT_FROM_A_MESSAGE);
  const wholes = [...messages, ...long];
  const askedWholes = wholes.filter(({ id }) => asked.has(id));
  for (const piece of long) {
    for (const whole of asked.has(piece.id) ? wholes : askedWholes) {
      if (!whole.text.includes(piece.text)) continue;
      erased.add(piece.id);
      erased.add(whole.id);
    }
  }
  return erased;
}

/** A shorter piece may be anywhere by chance. Pieces are cut out since they are long, so none is missed. */
const CUT_FROM_A_MESSAGE = 100;
