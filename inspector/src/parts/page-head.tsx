/** PageHead: the title of a view, and of one conversation's views the links between them. */
import type { ComponentChildren } from "preact";
import { linkTo, type Route, route } from "../router.ts";
import { canPreview } from "../session.ts";
import { visibleText } from "../visible-text.ts";

interface PageHeadProps {
  readonly title: string;
  /** The conversation that the view is of. */
  readonly conversation?: string;
  /** Buttons at the right. */
  readonly children?: ComponentChildren;
}

export function PageHead({ title, conversation, children }: PageHeadProps) {
  const tab = (view: "conversation" | "change" | "money", words: string) => (
    <a href={linkTo({ view, id: conversation! })} {...current(view)}>
      {words}
    </a>
  );
  return (
    <div class="page-head">
      <h1 dir="auto">{visibleText(title)}</h1>
      {conversation !== undefined && (
        <nav class="tabs" aria-label="Of this conversation">
          {tab("conversation", "Overview")}
          {canPreview() && tab("change", "Change it")}
          {tab("money", "Money")}
          {canPreview() && <a href={linkTo({ view: "search", query: { conversation } })}>Search in it</a>}
        </nav>
      )}
      {children && <div class="page-actions">{children}</div>}
    </div>
  );
}

function current(view: Route["view"]) {
  return route.value.view === view ? { "aria-current": "page" as const } : {};
}
