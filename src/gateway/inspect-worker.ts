/** The thread that answers for the inspector: what people look at must not hold up what agents wait for. */
import { existsSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { Archive } from "../archive/archive.ts";
import { memoryArchive } from "../archive/memory.ts";
import { openArchive } from "../archive/open-archive.ts";
import { partOfArchive, tenantsArchive } from "../archive/part-of-archive.ts";
import { type AnswerRoute, type ApiRequest, routeAnswers } from "../inspect/answer-route.ts";
import { createCostReader } from "../inspect/cost.ts";
import { createInspector } from "../inspect/inspector.ts";
import { type ErrorAnswer, errorAnswer } from "../inspect/refusal.ts";
import { answerStarter } from "../threads/thread.ts";
import { isWithoutKeys } from "./caller.ts";

export interface InspectWorkerSettings {
  /** Without keys, whoever has the link sees all that passes. */
  readonly hasKeys: boolean;
  readonly archive: string;
  readonly preset: string;
  readonly window?: number | undefined;
  readonly reserve?: number | undefined;
  readonly version: string;
}

/** What it can be asked. */
export interface InspectAnswers {
  readonly answer: (asked: {
    readonly tenant: string;
    readonly request: ApiRequest;
  }) => Promise<
    { readonly value: unknown } | { readonly refused: ErrorAnswer; readonly fault: string | undefined }
  >;
}

/** The gateway sends what its own record of a conversation says; a change in the archive alone would change nothing. */
const READ_ONLY_REASON =
  "The gateway's clients hold their own history, so nothing can be applied or undone for them here.";

if (parentPort) await serve(workerData as InspectWorkerSettings);

async function serve(settings: InspectWorkerSettings): Promise<void> {
  const archive = (await openArchive(settings.archive, { readOnly: true }))!;
  const answers = new Map<string, AnswerRoute>();
  const answersFor = (tenant: string): AnswerRoute => {
    if (!isThere(settings.archive)) return tenantAnswers(memoryArchive(), tenant, settings);
    const known = answers.get(tenant) ?? tenantAnswers(archive, tenant, settings);
    answers.set(tenant, known);
    return known;
  };
  answerStarter<InspectAnswers>({
    answer: ({ tenant, request }) =>
      answersFor(tenant)(request).then(
        (value) => ({ value }),
        (error: unknown) => {
          const refused = errorAnswer(error);
          return { refused, fault: refused.status === 500 ? String(error) : undefined };
        },
      ),
  });
}

/** A file is made by the first compaction; until then there is nothing to look at. */
function isThere(archive: string): boolean {
  return /^postgres(?:ql)?:/.test(archive) || existsSync(archive);
}

function tenantAnswers(whole: Archive, tenant: string, settings: InspectWorkerSettings): AnswerRoute {
  const { version, preset, window, reserve } = settings;
  const inspector = createInspector({
    archive: settings.hasKeys ? tenantsArchive(whole, tenant) : partOfArchive(whole, isWithoutKeys),
    title: tenant,
    version,
    readOnly: true,
    readOnlyReason: READ_ONLY_REASON,
    live: true,
    settings: { preset, window, reserve },
  });
  return routeAnswers(inspector, createCostReader({ look: inspector.look }));
}
