/** pith/agent-control: the fill that an agent is shown, for prompts of your own. */
import "../needed-node.ts";

export { COMPRESS_CONTEXT_HINT, type CompressRequest } from "./compress-context.ts";
export { type ContextFill, type FillReport, fillNote, fillOf } from "./fill-note.ts";
