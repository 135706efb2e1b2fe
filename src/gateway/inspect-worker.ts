/** The thread that answers for the inspector: what people look at must not hold up what agents wait for. */
import { existsSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import type { Archive } from "../archive/archive.ts";
import { memoryArchive } from "../archive/memory.ts";
import { openArchive } from "../archive/open-archive.ts";
import { type AnswerRoute, type ApiRequest, routeAnswers } from "../inspect/answer-route.ts";
import { createCostReader } from "../inspect/cost.ts";
import { createInspector } from "../inspect/inspector.ts";
import { partOfArchive } from "../inspect/part-of-archive.ts";
import { type ErrorAnswer, errorAnswer } from "../inspect/refusal.ts";

export interface InspectWorkerSettings {
  readonly archive: string;
  readonly preset: string;
  readonly window?: number | undefined;
  readonly reserve?: number | undefined;
  readonly version: string;
}

export interface ToInspectWorker {
  readonly id: number;
  readonly tenant: string;
  readonly request: ApiRequest;
}

export type FromInspectWorker = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly refused: ErrorAnswer; readonly fault?: string }
);

/** The gateway sends what its own record of a conversation says; a change in the archive alone would change nothing. */
const READ_ONLY_REASON =
  "The gateway's clients hold their own history, so nothing can be applied or undone for them here.";

if (parentPort) await serve(parentPort, workerData as InspectWorkerSettings);

async function serve(port: NonNullable<typeof parentPort>, settings: InspectWorkerSettings): Promise<void> {
  const archive = (await openArchive(settings.archive, { readOnly: true }))!;
  const answers = new Map<string, AnswerRoute>();
  const answersFor = (tenant: string): AnswerRoute => {
    if (!isThere(settings.archive)) return tenantAnswers(memoryArchive(), tenant, settings);
    const known = answers.get(tenant) ?? tenantAnswers(archive, tenant, settings);
    answers.set(tenant, known);
    return known;
  };
  port.on("message", ({ id, tenant, request }: ToInspectWorker) => {
    const send = (message: FromInspectWorker): void => port.postMessage(message);
    answersFor(tenant)(request).then(
      (value) => send({ id, value }),
      (error: unknown) => {
        const refused = errorAnswer(error);
        const fault = refused.status === 500 ? { fault: String(error) } : {};
        send({ id, refused, ...fault });
      },
    );
  });
}

/** A file is made by the first compaction; until then there is nothing to look at. */
function isThere(archive: string): boolean {
  return /^postgres(?:ql)?:/.test(archive) || existsSync(archive);
}

function tenantAnswers(whole: Archive, tenant: string, settings: InspectWorkerSettings): AnswerRoute {
  const { version, preset, window, reserve } = settings;
  const inspector = createInspector({
    archive: partOfArchive(whole, (conversation) => conversation.startsWith(`${tenant}/`)),
    title: tenant,
    version,
    readOnly: true,
    readOnlyReason: READ_ONLY_REASON,
    live: true,
    settings: { preset, window, reserve },
  });
  return routeAnswers(inspector, createCostReader({ look: inspector.look }));
}
