/** The prompts that a policy can name; their words are in summarizer/templates.ts. */
export const templateNames = ["story", "simple", "checkpoint", "neutral", "structured", "brief"] as const;

export type TemplateName = (typeof templateNames)[number];
