/** Numbers of message rows: each conversation has a range of its own, so that a search within it reads no other rows. */

/** More messages than a conversation can have; with it, half a billion conversations fit in a safe integer. */
export const MESSAGES_PER_CONVERSATION = 2 ** 24;

export function messageNumber(conversation: number, order: number): bigint {
  return BigInt(conversation) * BigInt(MESSAGES_PER_CONVERSATION) + BigInt(order);
}

/** First and last number of a conversation's messages. Big integers, since FTS5 takes no other as a bound of its rows. */
export function messageNumbers(conversation: number): readonly [first: bigint, last: bigint] {
  return [messageNumber(conversation, 0), messageNumber(conversation + 1, 0) - 1n];
}
