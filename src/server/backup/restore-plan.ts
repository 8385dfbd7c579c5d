import {
  type LogSegment,
  listTimelines,
  logSegmentsTo,
  type PointSegment,
  readTimeline,
  type Timeline,
} from './backup-folder.ts';
import { type BackupTarget, useSegment } from './backup-target.ts';
import type { RecordLine } from './capture.ts';

/** There is nothing in the backup that could become a server of that moment. */
export class NothingToRestore extends Error {
  readonly code = 'nothing_to_restore';
}

export interface RestorePlan {
  readonly timeline: string;
  /** From a base to the point whose rows count. */
  readonly points: readonly PointSegment[];
  /** The points after it from which only names and ids count, since records up to `cut` have them. */
  readonly later: readonly PointSegment[];
  readonly log: readonly LogSegment[];
  /** The last position that is restored. */
  readonly cut: number;
}

/**
 * Points that can be restored: each follows a base without a gap, and the log up to its head is there.
 * @returns lists from a base on, the oldest first
 */
export function usableRuns({ log, points }: Timeline): readonly (readonly PointSegment[])[] {
  const runs: PointSegment[][] = [];
  let isWhole = false;
  for (const point of points) {
    const last = runs.at(-1)?.at(-1);
    if (point.isBase) {
      runs.push([]);
      isWhole = true;
    } else if (last?.number !== point.number - 1) isWhole = false;
    if (!isWhole) continue;
    if (logSegmentsTo(log, point.head)) runs.at(-1)!.push(point);
    else isWhole = false;
  }
  return runs.filter((run) => run.length > 0);
}

/**
 * What makes the server of a moment. The timeline is the one that was being written then: the newest that had begun.
 * @param at milliseconds since 1970; undefined: the newest state
 * @throws NothingToRestore
 */
export async function planRestore(
  target: BackupTarget,
  key: Buffer | undefined,
  at: number | undefined,
): Promise<RestorePlan> {
  const found: { timeline: Timeline; runs: readonly (readonly PointSegment[])[]; begin: number }[] = [];
  for (const id of await listTimelines(target)) {
    const timeline = await readTimeline(target, id);
    const runs = usableRuns(timeline);
    if (runs.length > 0) found.push({ timeline, runs, begin: runs[0]![0]!.takenAt });
  }
  if (found.length === 0) throw new NothingToRestore(`there is no whole backup in ${target.name}`);
  const begun = found.filter(({ begin }) => at === undefined || begin <= at);
  if (begun.length === 0) {
    const oldest = Math.min(...found.map(({ begin }) => begin));
    throw new NothingToRestore(`the oldest moment of this backup is ${new Date(oldest).toISOString()}`);
  }
  const { timeline, runs } = begun.reduce((newest, one) => (one.begin >= newest.begin ? one : newest));
  return at === undefined ? newestOf(timeline, runs) : planAt(target, key, timeline, runs, at);
}

function newestOf({ id, log }: Timeline, runs: readonly (readonly PointSegment[])[]): RestorePlan {
  const points = runs.at(-1)!;
  const cut = points.at(-1)!.head;
  return { timeline: id, points, later: [], log: logSegmentsTo(log, cut)!, cut };
}

async function planAt(
  target: BackupTarget,
  key: Buffer | undefined,
  { id, log }: Timeline,
  runs: readonly (readonly PointSegment[])[],
  at: number,
): Promise<RestorePlan> {
  const all = runs.flat();
  const times = createTimeReader(target, key, log);
  let chosen: PointSegment | undefined;
  for (const point of all.filter(({ takenAt }) => takenAt <= at).reverse()) {
    // A clock that was put back makes times of points smaller than those of records: such a point is later than it says.
    if (point.head > 0 && (await times(point.head)) > at) continue;
    chosen = point;
    break;
  }
  if (!chosen) throw new NothingToRestore(`the backup has no point at or before ${new Date(at).toISOString()}`);
  const end = all.reduce((furthest, { head }) => Math.max(furthest, head), 0);
  const cut = await lastUpTo(chosen.head, end, async (position) => (await times(position)) <= at);
  const run = runs.find((one) => one.includes(chosen!))!;
  const points = run.slice(0, run.indexOf(chosen) + 1);
  const index = all.indexOf(chosen);
  const enough = all.findIndex(({ head }, n) => n >= index && head >= cut);
  return { timeline: id, points, later: all.slice(index + 1, enough + 1), log: logSegmentsTo(log, cut)!, cut };
}

/** The last number from `first` to `end` for which this holds, as it does for `first`. */
async function lastUpTo(first: number, end: number, holds: (number: number) => Promise<boolean>): Promise<number> {
  let low = first;
  let high = end;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (await holds(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** When a record was recorded. Times of the segment that was read last are kept. */
function createTimeReader(target: BackupTarget, key: Buffer | undefined, log: readonly LogSegment[]) {
  let kept: { readonly segment: LogSegment; readonly times: readonly number[] } | undefined;
  return async (position: number): Promise<number> => {
    const segment =
      kept && kept.segment.from <= position && position <= kept.segment.to
        ? kept.segment
        : log.find(({ from, to }) => from <= position && position <= to)!;
    if (kept?.segment !== segment) {
      const times = await useSegment(target, segment.name, key, (lines) =>
        Array.from(lines as Iterable<RecordLine>, (line) => line[7]),
      );
      kept = { segment, times };
    }
    return kept.times[position - segment.from]!;
  };
}
