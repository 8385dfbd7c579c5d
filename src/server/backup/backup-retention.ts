import { type LogSegment, listTimelines, logSegmentName, readTimeline, type Timeline } from './backup-folder.ts';
import { type BackupTarget, useSegment } from './backup-target.ts';
import { writeSegment } from './segment-file.ts';

/** Records in a merged segment, at most. */
const MERGED_RECORDS = 50_000;
/** Fewer segments than these are left as they are. */
const WORTH_MERGING = 16;

/**
 * Joins small segments of the log that follow each other. Nothing is lost by it: a restore to a moment goes by the time
 * of each record. The joined one is on disk before the others go.
 */
export async function mergeLog(target: BackupTarget, timeline: string, key: Buffer | undefined): Promise<void> {
  const { log } = await readTimeline(target, timeline);
  // Left where a merge was interrupted.
  const isWithinAnother = (one: LogSegment, index: number) =>
    log.some((other, n) => n !== index && other.from <= one.from && one.to <= other.to);
  const doubled = log.filter(isWithinAnother);
  for (const { name } of doubled) await target.remove(name);
  for (const run of runsOf(log.filter((one) => !doubled.includes(one)))) {
    const name = logSegmentName(timeline, run[0]!.from, run.at(-1)!.to);
    const writer = writeSegment(target.draftOf(name), name, key);
    try {
      for (const segment of run)
        await useSegment(target, segment.name, key, (lines) => {
          for (const line of lines) writer.line(line);
        });
      writer.finish();
    } catch (error) {
      writer.abandon();
      throw error;
    }
    await target.publish(name);
    for (const segment of run) if (segment.name !== name) await target.remove(segment.name);
  }
}

function runsOf(log: readonly LogSegment[]): readonly (readonly LogSegment[])[] {
  const runs: LogSegment[][] = [[]];
  for (const segment of log) {
    const run = runs.at(-1)!;
    const isNext = run.length === 0 || run.at(-1)!.to + 1 === segment.from;
    if (isNext && segment.to - (run[0] ?? segment).from < MERGED_RECORDS) run.push(segment);
    else runs.push([segment]);
  }
  return runs.filter((run) => run.length >= WORTH_MERGING);
}

/**
 * Removes what no moment since `before` needs: points before the newest base of that time, and other timelines that had
 * ended by then. Records of the log always stay: each is a part of every later moment.
 */
export async function removeExpired(target: BackupTarget, current: string, before: number): Promise<void> {
  for (const id of await listTimelines(target)) {
    const timeline = await readTimeline(target, id);
    if (id !== current && endOf(timeline) < before) {
      await target.removeFolder(id);
      continue;
    }
    const base = timeline.points.findLast(({ isBase, takenAt }) => isBase && takenAt <= before);
    if (!base) continue;
    for (const { name, number } of timeline.points) if (number < base.number) await target.remove(name);
  }
}

/** When its last point was taken; without any, when it began. */
const endOf = ({ id, points }: Timeline): number => points.at(-1)?.takenAt ?? beginOf(id);

const beginOf = (id: string): number =>
  Date.parse(id.replace(/^(....)(..)(..)T(..)(..)(..)(...)Z.*$/, '$1-$2-$3T$4:$5:$6.$7Z'));
