/** `pith archive lessons`: what adaptive salience has learned in the conversations of an archive, and how to make it forget. */

import type { Archive } from "../archive/archive.ts";
import { archiveItem } from "../archive/item-id.ts";
import { writeTo } from "../archive/ready-write.ts";
import { table } from "../report/table.ts";
import { keptState } from "../run/write-ahead.ts";
import { type Lessons, noLessons, weightOf, withCounts } from "../weights/lessons.ts";
import { exitDone } from "./exit-codes.ts";
import { withGivenArchive } from "./open-archive.ts";
import { archiveName } from "./settings.ts";
import { writeStderr } from "./stderr.ts";
import { writeStdout } from "./stdout.ts";

export interface LessonsFlags {
  readonly archive: string;
  readonly conversation?: string;
  readonly reset?: boolean;
  readonly json?: boolean;
}

export function lessonsCommand(flags: LessonsFlags): Promise<number> {
  const readOnly = !flags.reset;
  return withGivenArchive(archiveName(flags.archive), (archive) => tell(archive, flags), { readOnly });
}

async function tell(archive: Archive, { conversation, reset, json }: LessonsFlags): Promise<number> {
  const names = conversation === undefined ? await conversationsOf(archive) : [conversation];
  let learned = noLessons;
  let count = 0;
  for (const name of names) {
    const state = await keptState(archive, name);
    if (!state?.lessons) continue;
    count++;
    learned = withCounts(learned, new Map(Object.entries(state.lessons.traits)));
    if (!reset) continue;
    const { lessons: _, ...rest } = state;
    const items = [archiveItem("state", JSON.stringify(rest))];
    await writeTo(archive, { conversation: name, at: Date.now(), items });
  }
  const done = reset ? "forgot what they had learned" : "have learned something";
  writeStderr(`${count} of ${names.length} conversations in ${archive.name} ${done}\n`);
  await writeStdout(json ? `${JSON.stringify(learned)}\n` : readable(learned));
  return exitDone;
}

async function conversationsOf(archive: Archive): Promise<readonly string[]> {
  return ((await archive.conversations?.()) ?? []).map(({ id }) => id);
}

function readable(lessons: Lessons): string {
  const rows = Object.entries(lessons.traits)
    .sort(([, a], [, b]) => b.needed - a.needed || b.dropped - a.dropped)
    .map(([trait, { dropped, expected, needed }]) => [
      trait,
      String(dropped),
      expected.toFixed(1),
      String(needed),
      `× ${weightOf(lessons, [trait]).toFixed(2)}`,
    ]);
  if (rows.length === 0) return "";
  const header = ["trait", "dropped", "expected", "needed", "weight"];
  return `${table([header, ...rows], { right: [1, 2, 3, 4], width: 200 }).join("\n")}\n`;
}
