/** The inspector's page: it asks what was opened, and shows it. */
import { render } from "preact";
import "./browser-language.ts";
import "./styles/base.css";
import "./styles/shell.css";
import "./styles/lists.css";
import "./styles/timeline.css";
import "./styles/compaction.css";
import "./styles/forms.css";
import { App } from "./app.tsx";
import { arriveAt } from "./arrival.ts";
import { readRoute, route } from "./router.ts";
import { askForSession, session } from "./session.ts";

await askForSession();
const only = session.value?.conversation;
if (only !== undefined && location.hash.length <= 2) {
  route.value = { view: "conversation", id: only };
}
void arriveAt(route.value);
addEventListener("hashchange", () => void arriveAt(readRoute(location.hash)));
render(<App />, document.getElementById("app")!);
