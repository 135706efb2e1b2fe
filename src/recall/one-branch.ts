/** oneBranch: an archive without what is not in the past of the one who asks. */
import type { Archive } from "../archive/archive.ts";

/** To look in only. @param outside ids of one conversation; see `branchOf` */
export function oneBranch(whole: Archive, outside: ReadonlySet<string>): Archive {
  if (outside.size === 0) return whole;
  const { messages } = whole;
  return {
    name: whole.name,
    put: whole.put,
    get: async (id) => (outside.has(id) ? undefined : whole.get(id)),
    getMany: async (ids) => {
      const items = await (whole.getMany?.(ids) ?? Promise.all(ids.map(whole.get)));
      return items.map((item) => (item && outside.has(item.id) ? undefined : item));
    },
    ...(messages && {
      messages: async (conversation, range) =>
        (await messages(conversation, range)).filter(({ id }) => !outside.has(id)),
    }),
  };
}
