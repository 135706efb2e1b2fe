/** The tables of an archive file, as the list of steps that lead from an empty file to the newest version. */

/** Marks the file as ours: "Pith" in four bytes. */
export const APPLICATION_ID = 0x50697468;

/**
 * Each step runs once, in order, in one transaction; `user_version` says how many a file has had. A released step is
 * never edited: a change is another step.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE conversations (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    first_at INTEGER NOT NULL,
    last_at INTEGER NOT NULL,
    next_message INTEGER NOT NULL
  ) STRICT;

  -- A forgotten item keeps its row, so that what names it finds a note; its bytes and hash are empty.
  CREATE TABLE items (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    masked TEXT,
    forgotten_at INTEGER,
    hash BLOB NOT NULL,
    codec INTEGER NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;

  -- Which conversations an item belongs to: it stays as long as one of them does.
  CREATE TABLE owners (
    conversation INTEGER NOT NULL REFERENCES conversations (number),
    item INTEGER NOT NULL REFERENCES items (number),
    PRIMARY KEY (conversation, item)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX owners_by_item ON owners (item, conversation);

  -- The numbers of a conversation's messages are one range (see message-numbers.ts): a search in it reads no other.
  CREATE TABLE messages (
    number INTEGER PRIMARY KEY,
    conversation INTEGER NOT NULL REFERENCES conversations (number),
    position INTEGER NOT NULL,
    item INTEGER NOT NULL REFERENCES items (number),
    role TEXT NOT NULL,
    tools TEXT,
    at INTEGER NOT NULL,
    hash BLOB NOT NULL,
    codec INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (conversation, position, item)
  ) STRICT;
  CREATE INDEX messages_by_item ON messages (item);

  CREATE TABLE compactions (
    number INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation INTEGER NOT NULL REFERENCES conversations (number),
    at INTEGER NOT NULL,
    hash BLOB NOT NULL,
    codec INTEGER NOT NULL,
    bytes BLOB NOT NULL
  ) STRICT;
  CREATE INDEX compactions_by_conversation ON compactions (conversation, at);

  CREATE TABLE checkpoints (
    conversation INTEGER NOT NULL REFERENCES conversations (number),
    at INTEGER NOT NULL,
    item INTEGER NOT NULL REFERENCES items (number),
    PRIMARY KEY (conversation, at, item)
  ) STRICT, WITHOUT ROWID;

  -- Both indexes hold no text of their own; a row leaves them by the text that it was entered with.
  CREATE VIRTUAL TABLE words USING fts5 (text, content='', tokenize='porter unicode61 remove_diacritics 2');
  CREATE VIRTUAL TABLE fragments USING fts5 (text, content='', columnsize=0, detail=none, tokenize='trigram');
  `,
  `
  -- What is still to be done for what is in the file, should the process that did the rest be gone.
  CREATE TABLE chores (name TEXT PRIMARY KEY) STRICT, WITHOUT ROWID;
  `,
  `
  -- The name of the conversation that this one is about and goes with; that one may not be there.
  ALTER TABLE conversations ADD COLUMN about TEXT;
  CREATE INDEX conversations_by_about ON conversations (about) WHERE about IS NOT NULL;
  `,
  `
  -- What is there may hold secrets in clear.
  INSERT INTO chores (name) SELECT 'mask' WHERE EXISTS (SELECT 1 FROM items);
  `,
  `
  -- How often something was erased.
  CREATE TABLE erasures (count INTEGER NOT NULL) STRICT;
  INSERT INTO erasures (count) VALUES (0);
  `,
];
