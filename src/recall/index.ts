/** pith/recall: search and open what an archive holds, as calls and as tools for an agent. */
import "../needed-node.ts";

export type { EmbeddedMedia } from "./embedded-media.ts";
export type { Embedder } from "./embedder.ts";
export { type Expansion, recallExpand } from "./expand.ts";
export { type RawOriginal, rawOriginal } from "./raw-original.ts";
export { type RecallAnswer, type RecallResult, type RecallSearchOptions, recallSearch } from "./search.ts";
export {
  RECALL_EXPAND,
  RECALL_SEARCH,
  type RecallTool,
  type RecallToolAnswer,
  type RecallToolsOptions,
  recallTools,
  runRecallTool,
} from "./tools.ts";
export { createVectorIndex, type VectorIndex } from "./vector-index.ts";
