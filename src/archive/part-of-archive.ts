/** partOfArchive: an archive in which there are only some conversations, to look in: what is not of them is not there. */
import { ArchiveError } from "../errors/archive-error.ts";
import type { Archive, CompactionRecord, StoredItem } from "./archive.ts";
import { idsOfCompaction, idsOfItem } from "./named-ids.ts";
import { isOfTenant } from "./tenant.ts";
import { UNLISTED_PREFIX } from "./unlisted.ts";

/** Ids that are known to be of the part; past that they are found out again. */
const REMEMBERED = 500_000;
/** Conversations that an id is looked for in. */
const LOOKED_THROUGH = 200;
/** A search finds the best of the whole archive: so many more are asked for as others may have. */
const WIDER = 10;

/** An archive in which there are only the conversations of one tenant. */
export function tenantsArchive(whole: Archive, tenant: string): Archive {
  return partOfArchive(whole, (conversation) => isOfTenant(conversation, tenant), tenant);
}

/** @param tenant where all conversations of the part, and no others, are of one: then the archive itself can tell them */
export function partOfArchive(
  whole: Archive,
  isOfPart: (conversation: string) => boolean,
  tenant?: string,
): Archive {
  const { held, candidates, messages, conversations, compactions, compaction, checkpoint } = whole;
  if (!held || !conversations) {
    throw new ArchiveError(whole.name, `${whole.name} cannot tell what belongs to a conversation.`);
  }
  let own = new Set<string>();
  const remember = (ids: Iterable<string>): void => {
    if (own.size > REMEMBERED) own = new Set();
    for (const id of ids) own.add(id);
  };
  const rememberRecord = (record: CompactionRecord): CompactionRecord => {
    remember(idsOfCompaction(record));
    return record;
  };
  const newestNames = async (): Promise<readonly string[]> =>
    (await conversations())
      .filter(({ id }) => isOfPart(id))
      .sort((one, other) => other.lastAt - one.lastAt)
      .slice(0, LOOKED_THROUGH)
      .map(({ id }) => id);

  /** What nobody came upon by way of its conversation is looked for in the newest of them. */
  const findOut = async (ids: readonly string[]): Promise<void> => {
    let missing = ids.filter((id) => !own.has(id));
    if (missing.length === 0) return;
    if (tenant !== undefined) return remember(await held({ tenant }, missing));
    for (const name of await newestNames()) {
      remember(await held(name, missing));
      missing = missing.filter((id) => !own.has(id));
      if (missing.length === 0) return;
    }
  };
  const getMany = async (ids: readonly string[]): Promise<readonly (StoredItem | undefined)[]> => {
    await findOut(ids);
    const items = await (whole.getMany?.(ids) ?? Promise.all(ids.map(whole.get)));
    return items.map((item) => {
      if (!item || !own.has(item.id)) return undefined;
      remember(idsOfItem(item));
      return item;
    });
  };

  return {
    name: whole.name,
    put: async () => {
      throw new ArchiveError(whole.name, `${whole.name} is open here to look in only. Nothing was written.`);
    },
    get: async (id) => (await getMany([id]))[0],
    getMany,
    held: async (holder, ids) => {
      const isOwn = typeof holder === "string" ? isOfPart(holder) : holder.tenant === tenant;
      return isOwn ? held(holder, ids) : new Set();
    },
    ...(whole.erasures && { erasures: whole.erasures }),
    conversations: async () => (await conversations()).filter(({ id }) => isOfPart(id)),
    ...(candidates && {
      candidates: async (query) => {
        const { conversation } = query.scope ?? {};
        if (conversation !== undefined && !isOfPart(conversation)) return [];
        const isTold = conversation !== undefined || tenant !== undefined;
        const limit = isTold ? query.limit : query.limit * WIDER;
        const scope = { ...query.scope, ...(tenant !== undefined && { tenant }) };
        const wanted = await candidates({ ...query, limit, scope });
        const found = wanted.filter((each) => isOfPart(each.conversation));
        remember(found.map(({ id }) => id));
        return found;
      },
    }),
    ...(messages && {
      messages: async (conversation, range) => {
        if (!isOfPart(conversation)) return [];
        const found = await messages(conversation, range);
        remember(found.map(({ id }) => id));
        return found;
      },
    }),
    ...(compactions && {
      compactions: async (conversation) =>
        isOfPart(conversation) ? (await compactions(conversation)).map(rememberRecord) : [],
    }),
    ...(compaction && {
      compaction: async (id) => {
        const record = await compaction(id);
        return record && isOfPart(record.conversation) ? rememberRecord(record) : undefined;
      },
    }),
    ...(checkpoint && {
      // What is kept beside a conversation has its name behind the prefix.
      checkpoint: async (conversation) =>
        isOfPart(conversation.replace(UNLISTED_PREFIX, "")) ? checkpoint(conversation) : undefined,
    }),
  };
}
