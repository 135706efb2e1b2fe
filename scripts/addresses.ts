/** The links and pictures of a Markdown page, and which of them lead to a file of this project. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import MarkdownIt from "markdown-it";
import { projectRoot } from "./listed-tests.ts";

const { repository } = JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as {
  repository: { url: string };
};
/** Everybody can open this project's files under this address, also where there is no clone: on the page of npm. */
export const home = repository.url.replace(/^git\+/, "").replace(/\.git$/, "/");

/** What the page, rendered, links to and shows, without what follows a `#`. */
export function addressesIn(page: string): readonly string[] {
  const html = new MarkdownIt({ html: true }).render(page);
  return [...html.matchAll(/ (?:href|src|srcset)="([^"#]+)/g)].map(([, address]) => address!);
}

/** `https://unpkg.com/pith/docs/cli.md` → `docs/cli.md`; on a git host, `blob/HEAD/` or the like comes before the path. */
export function pathAtHome(address: string): string | undefined {
  if (!address.startsWith(home)) return undefined;
  return address.slice(home.length).replace(/^(?:-\/)?(?:blob|raw|tree)\/HEAD\//, "");
}
