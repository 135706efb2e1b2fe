/** usePreview: the plan for what is wished, asked for when the wishes have rested a moment; an older question is dropped. */
import { useEffect, useState } from "preact/hooks";
import type { CompactionView, PlanBody } from "../../src/inspect/views.ts";
import { type Loaded, useLoaded } from "./loaded.ts";
import { source } from "./source.ts";

const restMs = 200;

export function usePreview(body: PlanBody): Loaded<CompactionView> {
  const wished = JSON.stringify(body);
  const [asked, setAsked] = useState(wished);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wished), restMs);
    return () => clearTimeout(timer);
  }, [wished]);
  const { reload: _, ...preview } = useLoaded((signal) => source.preview(JSON.parse(asked), signal), [asked]);
  if (wished === asked) return preview;
  return preview.value === undefined ? { state: "loading" } : { state: "loading", value: preview.value };
}
