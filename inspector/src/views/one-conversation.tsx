/** OneConversation: its figures, its fill over time, its compactions and everything that was said in it. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { ConversationView } from "../../../src/inspect/views.ts";
import { overviewOf } from "../arrival.ts";
import { Facts } from "../parts/facts.tsx";
import { MessageList } from "../parts/message-list.tsx";
import { PageHead } from "../parts/page-head.tsx";
import { StateNote } from "../parts/state-note.tsx";
import { Timeline } from "../parts/timeline.tsx";
import { goTo, linkTo } from "../router.ts";
import { count, many, share, time } from "../words.ts";

interface OneConversationProps {
  readonly id: string;
  /** The message to show, by its position. */
  readonly at?: number | undefined;
}

export function OneConversation({ id, at }: OneConversationProps) {
  const loaded = overviewOf(id);
  const [scrollTo, setScrollTo] = useState<{ row: number } | undefined>(undefined);
  const list = useRef<HTMLElement>(null);
  const view = loaded.value;
  useEffect(() => {
    if (at !== undefined) setScrollTo({ row: at });
  }, [at]);
  useEffect(() => {
    if (scrollTo) list.current?.scrollIntoView({ block: "nearest" });
  }, [scrollTo, view]);
  return (
    <>
      <PageHead title={id} conversation={id} />
      <StateNote of={loaded} what="the conversation" />
      {view && (
        <>
          <Facts facts={factsOf(view)} />
          {view.problems.length > 0 && <Problems problems={view.problems} />}
          <section class="panel" aria-labelledby="fill-head">
            <h2 id="fill-head">Fill over time</h2>
            <Timeline
              view={view}
              onOpen={(compaction) => goTo({ view: "compaction", id: compaction })}
              onPick={(row) => setScrollTo({ row: Math.min(row, view.messages - 1) })}
            />
          </section>
          {view.compactions.length > 0 && <Compactions view={view} />}
          <section class="panel flush" aria-labelledby="messages-head" ref={list}>
            <h2 id="messages-head">Messages</h2>
            <MessageList conversation={id} total={view.messages} scrollTo={scrollTo} />
          </section>
        </>
      )}
    </>
  );
}

function Compactions({ view }: { readonly view: ConversationView }) {
  return (
    <section class="panel" aria-labelledby="compactions-head">
      <h2 id="compactions-head">Compactions</h2>
      <ol class="compactions">
        {view.compactions.map((mark) => (
          <li key={mark.id}>
            <a href={linkTo({ view: "compaction", id: mark.id })}>
              {count(mark.tokensBefore)} → {count(mark.tokensAfter)} tokens
            </a>{" "}
            <span class="note">
              before message {count(mark.position)}, {mark.preset}, {time(mark.at)}
            </span>
            {mark.undone && <span class="badge">undone</span>}
            {mark.reason && <span class="note reason">{mark.reason}</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function Problems({ problems }: { readonly problems: ConversationView["problems"] }) {
  return (
    <details class="panel">
      <summary>{many(problems.length, "line")} of the file passed over</summary>
      <ul>
        {problems.slice(0, 100).map(({ line, message }) => (
          <li key={line}>
            line {count(line)}: {message}
          </li>
        ))}
      </ul>
    </details>
  );
}

function factsOf(view: ConversationView) {
  const inForce = view.compactions.filter(({ undone }) => !undone).length;
  const undone = view.compactions.length - inForce;
  return [
    {
      name: "In the context now",
      value: count(view.tokens),
      more: view.exact ? "tokens" : "tokens, estimated",
    },
    { name: "Ever said", value: count(view.saidTokens), more: `in ${many(view.messages, "message")}` },
    view.window !== undefined && {
      name: "Window",
      value: count(view.window),
      more: `${share(view.tokens / view.window)} full`,
    },
    { name: "Compactions", value: count(inForce), more: undone > 0 ? `and ${undone} undone` : view.preset },
    view.model !== undefined && { name: "Model", value: view.model },
    { name: "Last active", value: time(view.lastAt), more: `since ${time(view.firstAt)}` },
  ];
}
