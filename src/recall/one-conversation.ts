/** oneConversation: an archive in which there is only one conversation, whatever else the whole one holds. */
import type { Archive, StoredItem } from "../archive/archive.ts";
import { withdrawnPlace } from "../archive/withdrawn.ts";
import { ArchiveError } from "../errors/archive-error.ts";

/** To look in only: what is not of the conversation is not there, by id as little as by search. */
export function oneConversation(whole: Archive, name: string): Archive {
  const { held, candidates, messages, compactions, checkpoint } = whole;
  if (!held) {
    throw new ArchiveError(whole.name, `${whole.name} cannot tell what belongs to a conversation.`);
  }

  const getMany = async (ids: readonly string[]): Promise<readonly (StoredItem | undefined)[]> => {
    const own = await held(name, ids);
    const items = await (whole.getMany?.(ids) ?? Promise.all(ids.map(whole.get)));
    // That a piece was erased tells nothing of it, and the text that names it is explained.
    return items.map((item) =>
      item && (own.has(item.id) || item.forgotten !== undefined) ? item : undefined,
    );
  };

  return {
    name: whole.name,
    put: async () => {
      throw new ArchiveError(whole.name, `${whole.name} is open here to look in only. Nothing was written.`);
    },
    get: async (id) => (await getMany([id]))[0],
    getMany,
    ...(candidates && {
      candidates: async (query) => {
        const { conversation = name } = query.scope ?? {};
        return conversation === name ? candidates({ ...query, scope: { ...query.scope, conversation } }) : [];
      },
    }),
    ...(messages && {
      messages: async (conversation, range) => (conversation === name ? messages(conversation, range) : []),
    }),
    // By these its branches are told apart.
    ...(compactions && {
      compactions: async (conversation) => (conversation === name ? compactions(conversation) : []),
    }),
    ...(checkpoint && {
      checkpoint: async (place) => (place === withdrawnPlace(name) ? checkpoint(place) : undefined),
    }),
  };
}
