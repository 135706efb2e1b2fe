/** App: the frame around every view: where you are, where you can go, light or dark. */
import { useLayoutEffect, useRef } from "preact/hooks";
import { linkTo, type Route, route } from "./router.ts";
import { canPreview, session, sessionFault } from "./session.ts";
import { switchTheme, theme } from "./theme.ts";
import { ChangeIt } from "./views/change-it.tsx";
import { Conversations } from "./views/conversations.tsx";
import { MoneyView } from "./views/money-view.tsx";
import { OneCompaction } from "./views/one-compaction.tsx";
import { OneConversation } from "./views/one-conversation.tsx";
import { Search } from "./views/search.tsx";

export function App() {
  const main = useRef<HTMLElement>(null);
  const shown = useRef<Route | undefined>(undefined);
  useLayoutEffect(() => {
    document.title = `${titleOf(route.value)} · Pith inspector`;
    // Not on the first view: the page starts at its top by itself.
    if (shown.current && shown.current.view !== route.value.view) {
      main.current?.focus({ preventScroll: true });
      scrollTo(0, 0);
    }
    shown.current = route.value;
  }, [route.value]);
  return (
    <>
      <button type="button" class="skip" onClick={() => main.current?.focus()}>
        Skip to the content
      </button>
      <Header />
      <main id="main" ref={main} tabIndex={-1}>
        {sessionFault.value ? (
          <p class="fault" role="alert">
            {sessionFault.value}
          </p>
        ) : (
          <View shown={route.value} />
        )}
      </main>
    </>
  );
}

function Header() {
  const { view } = route.value;
  const current = (yes: boolean) => (yes ? { "aria-current": "page" as const } : {});
  return (
    <header class="bar">
      <a class="brand" href="#/" aria-label="Pith inspector: all conversations">
        pith
      </a>
      <nav aria-label="Views">
        <a href={linkTo({ view: "conversations" })} {...current(view === "conversations")}>
          Conversations
        </a>
        {canPreview() && (
          <a href={linkTo({ view: "search", query: {} })} {...current(view === "search")}>
            Search
          </a>
        )}
      </nav>
      <span class="opened" title={session.value?.title}>
        {session.value?.title}
      </span>
      {session.value?.readOnly && (
        <span class="badge" title={session.value.readOnlyReason ?? "Nothing can be changed here."}>
          read-only
        </span>
      )}
      <button type="button" class="quiet" onClick={switchTheme}>
        {theme.value === "dark" ? "Light" : "Dark"}
      </button>
    </header>
  );
}

function View({ shown }: { readonly shown: Route }) {
  switch (shown.view) {
    case "conversations":
      return <Conversations />;
    case "conversation":
      return <OneConversation key={shown.id} id={shown.id} at={shown.at} />;
    case "change":
      return <ChangeIt key={shown.id} id={shown.id} />;
    case "money":
      return <MoneyView key={shown.id} id={shown.id} />;
    case "compaction":
      return <OneCompaction key={shown.id} id={shown.id} />;
    case "search":
      return <Search query={shown.query} />;
  }
}

function titleOf(shown: Route): string {
  switch (shown.view) {
    case "conversations":
      return "Conversations";
    case "search":
      return "Search";
    case "compaction":
      return `Compaction ${shown.id}`;
    default:
      return `${shown.view === "change" ? "Change it: " : shown.view === "money" ? "Money: " : ""}${shown.id}`;
  }
}
