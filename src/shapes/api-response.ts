/** Shape of an API response: status and key fields; links, node ids, avatars, headers and the like are left out. */
import { looksLikeJson, parseJson, tellJson } from "./json.ts";
import type { Shape } from "./shape.ts";

/** Keys that machines follow and nobody reads. */
const METADATA_KEY =
  /^(?:_links|_meta|node_id|gravatar_id|avatar_url|etag|headers|cookies|request_?id|trace_?id|span_?id|x-[\w-]+|cache_control|user_view_type|site_admin|performed_via_github_app|author_association|reactions|permissions|pagination|self|\$schema|__typename|cursor)$|(?:_url|Url)$/;
/** Of the addresses, these are for people. */
const READ_KEY = /^(?:html_url|clone_url|download_url|browser_download_url|web_url|webUrl)$/;
const SIGNS =
  /"(?:node_id|_links|avatar_url|statusCode|status_code|headers|request_id|gravatar_id|documentation_url)"\s*:/;
const STATUS_LINE = /^(?:\* .*\n|[<>] .*\n)*(?:< )?HTTP\/[\d.]+ \d{3}/;
/** Header lines worth reading. */
const KEPT_HEADER = /^(?:< )?(?:HTTP\/|content-type:|location:|retry-after:|www-authenticate:)/i;

export const apiResponse: Shape = {
  kind: "api-response",
  recognises: ({ text }, { kind }) => {
    if (STATUS_LINE.test(text.slice(0, 4_000))) return 0.9;
    if (!looksLikeJson(text)) return 0;
    return kind === "api-response" || SIGNS.test(text.slice(0, 4_000)) ? 0.85 : 0;
  },
  shape: ({ text }) => {
    const { head, body } = splitHeaders(text);
    const value = parseJson(body);
    if (value === undefined) return () => undefined;
    const tell = tellJson(value, body, "api-response", isMetadata);
    return head === "" ? tell : (context) => `${head}\n${tell(context)}`;
  },
};

function isMetadata(key: string, value: unknown): boolean {
  if (value === null) return false;
  if (key === "url") return typeof value === "string" && value.startsWith("https://api.");
  return METADATA_KEY.test(key) && !READ_KEY.test(key);
}

/** `curl -i`: the status line and the few headers worth reading, and the body after them. */
function splitHeaders(text: string): { readonly head: string; readonly body: string } {
  if (!STATUS_LINE.test(text.slice(0, 4_000))) return { head: "", body: text };
  const start = text.slice(0, 20_000).search(/^[{[]/m);
  if (start < 0) return { head: "", body: text };
  const headers = text.slice(0, start).split("\n");
  return { head: headers.filter((line) => KEPT_HEADER.test(line)).join("\n"), body: text.slice(start) };
}
