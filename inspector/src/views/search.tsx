/** Search: asks the archive as the agent does with recall_search, with filters; a result opens in place. */
import { useState } from "preact/hooks";
import type { SearchRow } from "../../../src/inspect/views.ts";
import { moveFocus } from "../arrow-keys.ts";
import { useLoaded } from "../loaded.ts";
import { Original } from "../parts/original.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { SearchForm } from "../parts/search-form.tsx";
import { StateNote } from "../parts/state-note.tsx";
import { linkTo } from "../router.ts";
import { source } from "../source.ts";
import { visibleText } from "../visible-text.ts";
import { count, many, time } from "../words.ts";

export function Search({ query }: { readonly query: Readonly<Record<string, string>> }) {
  const asked = JSON.stringify(query);
  const loaded = useLoaded(
    (signal) => (query.q ? source.search({ limit: "30", ...query }, signal) : Promise.resolve(undefined)),
    [asked],
  );
  const found = loaded.value;
  return (
    <>
      <PageHead title="Search" />
      <SearchForm key={asked} query={query} />
      {query.q && <StateNote of={loaded} what="the results" />}
      {found && query.q && (
        <>
          <p class="note" role="status">
            {found.results.length === 0
              ? "Nothing was found."
              : `The best ${count(found.results.length)} of ${many(found.found, "match")}`.replace(
                  /hs$/,
                  "hes",
                )}
          </p>
          <ol class="results" onKeyDown={(event) => moveFocus(event, ".result-open")}>
            {found.results.map((result) => (
              <Result key={`${result.conversationId} ${result.id} ${result.message}`} result={result} />
            ))}
          </ol>
        </>
      )}
    </>
  );
}

function Result({ result }: { readonly result: SearchRow }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <li class="panel result">
      <button type="button" class="result-open" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <span class="side-head">
          <span aria-hidden="true">{isOpen ? "▾" : "▸"}</span>
          <span class="position">#{result.message}</span>
          <b>{result.role}</b>
          <span class="note">{time(result.at)}</span>
          {result.otherBranch && <span class="note">another branch, or taken back</span>}
          <span class="tokens">{result.score.toFixed(2)}</span>
        </span>
        <span class="snippet" dir="auto">
          {visibleText(result.snippet)}
        </span>
      </button>
      <a class="note" href={linkTo({ view: "conversation", id: result.conversationId, at: result.message })}>
        {visibleText(result.conversationId)}
      </a>
      {isOpen && <Original id={result.id} />}
    </li>
  );
}
