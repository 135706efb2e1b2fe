/** pith/shapes: a tool's output, shorter by what kind of output it is. */

import "../needed-node.ts";

export type { OutputKind } from "../reading/agents/output-kinds.ts";
export type { ShapeContext, Shaped } from "./shape.ts";
export { shapeToolResult } from "./shape-tool-result.ts";
