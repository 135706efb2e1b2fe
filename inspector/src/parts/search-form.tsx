/** SearchForm: the question and its filters. Sending it changes the address, so that a search can be kept. */
import { useLoaded } from "../loaded.ts";
import { goTo } from "../router.ts";
import { source } from "../source.ts";

const roles = ["system", "user", "assistant", "tool"];

export function SearchForm({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const conversations = useLoaded((signal) => source.conversations(signal), []);
  const onSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    goTo({
      view: "search",
      query: Object.fromEntries([...fields].map(([name, value]) => [name, String(value)])),
    });
  };
  const ids = new Set(conversations.value?.map(({ id }) => id) ?? []);
  if (query.conversation) ids.add(query.conversation);
  return (
    <search>
      <form class="tools panel" onSubmit={onSubmit}>
        <label class="grow">
          Words
          <input type="search" name="q" defaultValue={query.q ?? ""} required />
        </label>
        <label>
          Conversation
          <select name="conversation" value={query.conversation ?? ""}>
            <option value="">all</option>
            {[...ids].map((id) => (
              <option key={id} value={id}>
                {id}
              </option>
            ))}
          </select>
        </label>
        <label>
          Role
          <select name="role" value={query.role ?? ""}>
            <option value="">any</option>
            {roles.map((role) => (
              <option key={role} value={role}>
                {role}
              </option>
            ))}
          </select>
        </label>
        <label>
          Tool
          <input name="tool" defaultValue={query.tool ?? ""} placeholder="any" />
        </label>
        <label>
          From
          <input type="date" name="since" defaultValue={query.since ?? ""} />
        </label>
        <label>
          Until
          <input type="date" name="until" defaultValue={query.until ?? ""} />
        </label>
        <button type="submit" class="primary">
          Search
        </button>
      </form>
    </search>
  );
}
