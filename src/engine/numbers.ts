/** The numbers of the engine: what a thing is worth, and how the room is divided. `npm run ablate` says what each brings. */

export const NUMBERS = {
  /** What words are worth by who says them; `asked` is what a call was given, `printed` what it answered. */
  voice: { person: 5, agent: 2.8, handoff: 4, asked: 1.2, printed: 0.42, program: 0.5 },
  /** Agent words that close a turn, against words that announce a call. */
  closing: 2,
  /** The oldest message is worth this share of the newest. */
  oldest: 0.85,
  /** The newest results are worth more: so many calls, so many times. */
  newestCalls: 6,
  newestWorth: 2.5,
  /** Each time a word has been shown halves what it is worth. */
  shownAgain: 0.5,
  /** An item is worth half as much for the rest when this share of the target is shown of it, or at least so many tokens. */
  tired: { said: 0.06, call: 0.02, least: 60 },
  /** A short output was asked for as a whole: up to so many times more, half of it at so many characters. */
  brief: { worth: 1, characters: 1200 },
  /** The first and the last sentence of a spoken text; a sentence in which its writer marked words as bold. */
  edge: 1.5,
  marked: 1.5,
  /** In a spoken text of more lines than this, a line that does not read like a sentence. */
  longTalk: 12,
  fragment: 0.6,
  /** What an edit printed that went well. */
  echo: 0.3,
  /** The head of a call that failed. */
  failed: 3,
  /** The same line again. */
  repeated: 0.1,
  /** A piece all of whose words a person typed, or the agent said in so many texts. */
  topical: 1.5,
  cameBack: 2,
  /** A printed piece with a key that a later call was given. */
  chosen: 4,
  /** What completes a thought: a piece beside a chosen piece of what was said or asked; one that closes the hole between two; an
   * entry of a list of which an entry is chosen. */
  beside: 1.3,
  hole: 3,
  sibling: 1.3,
  /** What showing a piece costs beside its words: its mark, its indent, the gap before it; the first of an output. */
  overhead: 3,
  opening: 12,
  /** What says most is looked for among so many, where all of them lose by what was shown last. */
  looks: 2000,
  /** Of what was printed only so many times the target can become pieces: what says most per token. */
  candidates: 20,
  /** At most so many pieces come together because one leads the other. */
  chain: 4,

  /** Digest: a line marked bad; a printed line that reads like a sentence: a comment, a message. */
  bad: 2,
  sentence: 1.35,
  /** In a list of fields, a line that only goes on with the text of a field. */
  prose: 0.3,
  /** Code: a line that names a thing; in a change a line that is gone, a line that stays. */
  defines: 1.6,
  gone: 0.6,
  around: 0.2,
  /** Of lines with one shape only so many of the first and of the last can be shown. */
  sameShape: 50,
  sameShapeTokens: 20,
  /** Longest line and longest record, in characters; what is longer is opened. */
  line: 260,
  record: 240,
  /** An answer of one line and so many characters stands beside its call. */
  answer: 120,
  /** JSON: a field of so many characters is one line, a row of a table has at most so many. */
  field: 160,
  row: 700,

  /** From this target on there is always a result; what must be there is what has room in it. */
  least: 300,
  /** Where something has to be handed off, places take at most this share of the room. */
  handedOff: 0.5,
  /** The newest message, with what answers its calls, has a place while that takes at most this share of the room. */
  newestPlace: 0.75,

  /**
   * Shares of the target for what must be there; what was said stays whole when all of it takes less than its share. Of the newest
   * ask `leastAsk` is there whatever stays in its place beside it.
   */
  share: {
    deeds: 0.4,
    rules: 0.15,
    ask: 0.4,
    leastAsk: 0.25,
    newestAsk: 0.6,
    first: 0.08,
    told: 0.2,
    asks: 0.17,
    state: 0.15,
    last: 0.12,
    whole: 0.33,
    now: 0.02,
    spoken: 0.75,
    unanswered: 0.2,
    done: 0.1,
  },
  /** Words beside a call are a report when they are of more lines than this. */
  report: 4,
  /** Places are bought for at most so much of the room, times the share that the room is of the whole conversation. */
  places: 1,
  /** Of a text in the arguments of a call in its place that is longer than this, in characters, the parts are ranked. */
  huge: 1000,
  /** What nobody has reacted to yet gets at most so many tokens. */
  atMost: 500,
  /** From so many tokens on announcements stay whole too. */
  roomy: 4000,
  /** A result is full enough at this share of the target. */
  full: 0.99,
  /** Pieces are ranked until by their estimates so many times the room is used: an estimate may be that much too high. */
  ranked: 1.3,
  /** What has no pieces takes a token for so many characters. */
  characters: 4,
  /** What a policy would keep at the head and between takes this share of the target at most. */
  soft: 0.2,
  /** What every message costs beside its text, and a hand-off beside its lines. */
  message: 4,
  frame: 110,
} as const;
