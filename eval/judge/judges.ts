/** The judges, in the order of the table. */
import { answers } from "./answers.ts";
import { deeds } from "./deeds.ts";
import type { Judge } from "./judge.ts";
import { needles } from "./needles.ts";
import { truth } from "./truth.ts";
import { words } from "./words.ts";

export const judges: Readonly<Record<string, Judge<unknown>>> = { answers, needles, deeds, truth, words };
