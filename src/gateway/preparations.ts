/** Several workers beside each other: the requests of one conversation go to the same one, which remembers it. */
import { type BodyJob, createPreparation, type Preparation, type PreparationOptions } from "./preparation.ts";

/** @param count how many worker threads there are */
export function createPreparations(count: number, options: PreparationOptions): Preparation {
  const workers = Array.from({ length: count }, () => createPreparation(options));
  const of = (job: BodyJob): Preparation => workers[count === 1 ? 0 : placeOf(job) % count]!;
  let turn = 0;
  return {
    ready: Promise.all(workers.map(({ ready }) => ready)).then(() => {}),
    prepare: (job, wait) => of(job).prepare(job, wait),
    fits: (job) => of(job).fits(job),
    run: (calls, request) => (request.job ? of(request.job) : workers[turn++ % count]!).run(calls, request),
    keepTurn: (own) => of(own.job).keepTurn(own),
    waiting: () => workers.reduce((sum, { waiting }) => sum + waiting(), 0),
    close: async () => {
      await Promise.all(workers.map(({ close }) => close()));
    },
  };
}

/** How much of a body tells its conversation: its start, which stays when messages are added. */
const TELLING_BYTES = 4_000;

function placeOf({ bytes, tenant }: BodyJob): number {
  let hash = 0x811c9dc5;
  for (const part of [Buffer.from(tenant), bytes.subarray(0, TELLING_BYTES)]) {
    for (const byte of part) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0;
  }
  return hash;
}
