/** The tables of a PostgreSQL archive: their names inside a schema, and the statements that make them. */
import { OptionsError } from "../../errors/options-error.ts";

/** The names as they are in statements, schema and quotes included. */
export interface Tables {
  readonly schema: string;
  readonly version: string;
  readonly blobs: string;
  readonly items: string;
  readonly conversations: string;
  readonly holdings: string;
  readonly messages: string;
  readonly compactions: string;
  readonly states: string;
  readonly chores: string;
  readonly erasures: string;
  /** A text search configuration that the first version indexed by. */
  readonly words: string;
}

export function tablesIn(schema: string): Tables {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new OptionsError(
      "schema",
      "The schema must be lower-case letters, digits and _, at most 63 of them.",
    );
  }
  const quoted = `"${schema}"`;
  return {
    schema: quoted,
    version: `${quoted}.version`,
    blobs: `${quoted}.blobs`,
    items: `${quoted}.items`,
    conversations: `${quoted}.conversations`,
    holdings: `${quoted}.holdings`,
    messages: `${quoted}.messages`,
    compactions: `${quoted}.compactions`,
    states: `${quoted}.states`,
    chores: `${quoted}.chores`,
    erasures: `${quoted}.erasures`,
    words: `${quoted}.words`,
  };
}

/** One entry a version, applied in order; an entry that was ever released is never edited. */
export const migrations: readonly ((tables: Tables) => string)[] = [
  (tables) => `
    -- Content by its SHA-256, compressed already.
    CREATE TABLE ${tables.blobs} (
      hash bytea PRIMARY KEY,
      codec smallint NOT NULL,
      bytes bytea NOT NULL
    );
    ALTER TABLE ${tables.blobs} ALTER COLUMN bytes SET STORAGE EXTERNAL;

    -- A forgotten item keeps its row, so that what named it finds a note; it has no hash any more.
    CREATE TABLE ${tables.items} (
      id text COLLATE "C" PRIMARY KEY,
      kind text NOT NULL,
      hash bytea,
      masked jsonb NOT NULL,
      forgotten double precision
    );
    CREATE INDEX items_by_hash ON ${tables.items} (hash);

    -- A name may be longer than an index entry: it is found by its SHA-256.
    CREATE TABLE ${tables.conversations} (
      key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      digest bytea NOT NULL UNIQUE,
      name text NOT NULL,
      first_at double precision NOT NULL,
      last_at double precision NOT NULL
    );

    CREATE TABLE ${tables.states} (
      key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      conversation bigint NOT NULL,
      at double precision NOT NULL,
      item text COLLATE "C" NOT NULL,
      UNIQUE (conversation, at, item)
    );

    -- Which conversations an item belongs to: it goes when the last of them goes.
    CREATE TABLE ${tables.holdings} (
      conversation bigint NOT NULL,
      item text COLLATE "C" NOT NULL,
      PRIMARY KEY (conversation, item)
    );
    CREATE INDEX holdings_by_item ON ${tables.holdings} (item);

    CREATE TABLE ${tables.messages} (
      key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      conversation bigint NOT NULL,
      position bigint NOT NULL,
      item text COLLATE "C" NOT NULL,
      role text NOT NULL,
      tools jsonb NOT NULL,
      text text NOT NULL,
      at double precision NOT NULL,
      length integer NOT NULL,
      terms tsvector NOT NULL,
      UNIQUE (conversation, position, item)
    );
    CREATE INDEX messages_by_item ON ${tables.messages} (item);
    CREATE INDEX messages_by_terms ON ${tables.messages} USING gin (terms);

    CREATE TABLE ${tables.compactions} (
      id text COLLATE "C" PRIMARY KEY,
      conversation bigint NOT NULL,
      at double precision NOT NULL,
      record text NOT NULL
    );
    CREATE INDEX compactions_by_conversation ON ${tables.compactions} (conversation, at);

    CREATE TEXT SEARCH DICTIONARY ${tables.schema}.stems (TEMPLATE = pg_catalog.snowball, Language = english);
    CREATE TEXT SEARCH CONFIGURATION ${tables.words} (COPY = pg_catalog.simple);
    ALTER TEXT SEARCH CONFIGURATION ${tables.words}
      ALTER MAPPING FOR asciiword, word, numword WITH ${tables.schema}.stems;`,
  (tables) => `
    -- The digest of the conversation that this one is about and goes with; that one may not be there.
    ALTER TABLE ${tables.conversations} ADD COLUMN about bytea;
    CREATE INDEX conversations_by_about ON ${tables.conversations} (about) WHERE about IS NOT NULL;`,
  (tables) => `
    -- What is still to be done for what is there: it may hold secrets in clear.
    CREATE TABLE ${tables.chores} (name text COLLATE "C" PRIMARY KEY);
    INSERT INTO ${tables.chores} SELECT 'mask' WHERE EXISTS (SELECT FROM ${tables.items});`,
  (tables) => `
    -- Whether it is nothing but Pith's own words; unknown for what an earlier release wrote (see index-messages.ts).
    ALTER TABLE ${tables.messages} ADD COLUMN own boolean;
    CREATE INDEX messages_to_index ON ${tables.messages} (key) WHERE own IS NULL;
    CREATE INDEX messages_by_writing ON ${tables.messages} (conversation, key) INCLUDE (length);`,
  (tables) => `
    -- How often something was erased.
    CREATE TABLE ${tables.erasures} (count bigint NOT NULL);
    INSERT INTO ${tables.erasures} VALUES (0);`,
];
