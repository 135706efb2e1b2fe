/** pith/providers: conversations read, written and converted, and what a provider says of one that is too long. */
import "../needed-node.ts";

export { convertConversation } from "./convert.ts";
export { type ReadOptions, readConversation, writeConversation } from "./detect.ts";
export type { Format } from "./format.ts";
export { type ContextOverflow, contextOverflowOf } from "./overflow.ts";
