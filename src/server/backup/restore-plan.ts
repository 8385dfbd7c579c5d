import {
  begunAt,
  endOfLog,
  type LogSegment,
  logSegmentsTo,
  type Point,
  type PointSegment,
  type Timeline,
  usableRuns,
} from './backup-folder.ts';
import { type BackupTarget, useSegment } from './backup-target.ts';
import { type BelievedTimeline, readBelieved, readWanted } from './believed-timelines.ts';
import type { PointHeader, RecordLine } from './capture.ts';

/** There is nothing in the backup that could become a server of that moment. */
export class NothingToRestore extends Error {
  readonly code = 'nothing_to_restore';
}

/** Some of the points of a segment: these numbers. */
export interface PointRange {
  readonly segment: PointSegment;
  readonly from: number;
  readonly to: number;
}

export interface RestorePlan {
  readonly timeline: string;
  /** From a base to the point whose rows count. */
  readonly points: readonly PointRange[];
  readonly chosen: Point;
  /** The points after it from which only names and ids count, since records up to `cut` have them. */
  readonly later: readonly PointRange[];
  readonly log: readonly LogSegment[];
  /** The last position that is restored. */
  readonly cut: number;
  /** The moment that is reached, in milliseconds: the backup knows of none after its newest point. */
  readonly reached: number;
}

/** A history that another server has written beside the one that is restored. */
export interface History {
  readonly timeline: string;
  /** When its first and its last point were taken, in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  /** The last position of its log. */
  readonly records: number;
}

/** What is to be restored. */
export interface RestoreChoice {
  /** Milliseconds since 1970; absent: the newest state. */
  readonly at?: number | undefined;
  /** Of this history, whichever is the newest; absent: of the newest. */
  readonly timeline?: string | undefined;
}

/** The points of a segment. */
export function pointsIn({ from }: PointSegment, lines: Iterable<unknown>): readonly Point[] {
  const found: Point[] = [];
  for (const line of lines as Iterable<Partial<PointHeader>>)
    if (line.form !== undefined) found.push({ number: from + found.length, takenAt: line.takenAt!, head: line.head! });
  return found;
}

/**
 * What makes the server of a moment. Of the histories that had begun by then it is the one that goes furthest: where two
 * servers write, a copy that was looked at and left must not hide what the other one has written since.
 * @returns the plan, and the histories that stand beside the chosen one
 * @throws NothingToRestore
 */
export async function planRestore(
  target: BackupTarget,
  key: Buffer | undefined,
  { at, timeline: wanted }: RestoreChoice = {},
): Promise<{ readonly plan: RestorePlan; readonly beside: readonly History[] }> {
  const timelines = wanted === undefined ? await readBelieved(target) : await readWanted(target, wanted);
  const found: Candidate[] = [];
  for (const timeline of timelines) {
    const runs = usableRuns(timeline);
    const last = runs.at(-1)?.at(-1);
    if (!last) continue;
    const usable = createPointReader(target, key, endOfLog(timeline.log), timeline.lastNumber);
    found.push({ timeline, runs, usable, begin: runs[0]![0]!.first.takenAt, end: await usable.lastOf(last) });
  }
  if (found.length === 0)
    throw new NothingToRestore(
      wanted === undefined
        ? `there is no whole backup in ${target.name}`
        : `there is nothing of the history ${wanted} in ${target.name} that can be restored`,
    );
  const begun = found.filter(({ begin }) => at === undefined || begin <= at);
  if (begun.length === 0) {
    const oldest = Math.min(...found.map(({ begin }) => begin));
    throw new NothingToRestore(`the oldest moment of this backup is ${new Date(oldest).toISOString()}`);
  }
  const chosen = begun.reduce((newest, one) => (isLater(one, newest) ? one : newest));
  const { timeline, runs, usable } = chosen;
  const plan =
    at === undefined
      ? await newestOf(timeline, runs, usable)
      : await planAt(timeline, runs, at, usable, createTimeReader(target, key, timeline.log));
  return { plan, beside: found.filter((one) => isBeside(one, chosen)).map(historyOf) };
}

interface Candidate {
  readonly timeline: BelievedTimeline;
  readonly runs: Runs;
  readonly usable: UsablePoints;
  /** When its first point was taken. */
  readonly begin: number;
  readonly end: Point;
}

/** The lease has an order of its own, whatever the clocks of its holders show. */
function isLater(one: Candidate, than: Candidate): boolean {
  if (one.timeline.turn !== than.timeline.turn) return one.timeline.turn > than.timeline.turn;
  if (one.end.takenAt !== than.end.takenAt) return one.end.takenAt > than.end.takenAt;
  return one.begin >= than.begin;
}

/** Whether two servers have written at a time. Of histories that the lease names, each has ended where the next begins. */
function isBeside(one: Candidate, chosen: Candidate): boolean {
  if (one === chosen || one.timeline.turn !== chosen.timeline.turn) return false;
  return one.end.takenAt > begunAt(chosen.timeline.id) && chosen.end.takenAt > begunAt(one.timeline.id);
}

const historyOf = ({ timeline, begin, end }: Candidate): History => ({
  timeline: timeline.id,
  from: begin,
  to: end.takenAt,
  records: end.head,
});

async function newestOf({ id, log }: Timeline, runs: Runs, usable: UsablePoints): Promise<RestorePlan> {
  const run = runs.at(-1)!;
  const chosen = await usable.lastOf(run.at(-1)!);
  const cut = chosen.head;
  const points = rangesTo(run, chosen);
  return { timeline: id, points, chosen, later: [], log: logSegmentsTo(log, cut)!, cut, reached: chosen.takenAt };
}

async function planAt(
  { id, log }: Timeline,
  runs: Runs,
  at: number,
  usable: UsablePoints,
  times: TimeReader,
): Promise<RestorePlan> {
  const all = runs.flat();
  // A clock that was put back makes times of points smaller than those of records: such a point is later than it says.
  const isThere = async ({ takenAt, head }: Point) => takenAt <= at && (head === 0 || (await times(head)) <= at);
  // Times and heads only grow in a segment, so its first point tells whether any is there.
  const segment = await findLast(all, ({ first }) => isThere(first));
  const chosen = segment && (await findLast(await usable.pointsOf(segment), isThere));
  if (!chosen) throw new NothingToRestore(`the backup has no point at or before ${new Date(at).toISOString()}`);
  const { head: end, takenAt: newest } = await usable.lastOf(
    all.reduce((one, other) => (other.last.head >= one.last.head ? other : one)),
  );
  const cut = await lastUpTo(chosen.head, end, async (position) => (await times(position)) <= at);
  const run = runs.find((one) => one.includes(segment))!;
  const later = await rangesAfter(all.slice(all.indexOf(segment)), chosen, cut, usable);
  // As long as the clock that was put back is behind, the point shows less than its records.
  const reached = Math.max(chosen.takenAt, Math.min(at, newest));
  return { timeline: id, points: rangesTo(run, chosen), chosen, later, log: logSegmentsTo(log, cut)!, cut, reached };
}

const rangesTo = (run: readonly PointSegment[], chosen: Point): readonly PointRange[] =>
  run
    .filter(({ from }) => from <= chosen.number)
    .map((segment) => ({ segment, from: segment.from, to: Math.min(segment.to, chosen.number) }));

/** The points after this one, as far as the log up to `cut` needs them. @param segments from the one with the point on */
async function rangesAfter(
  segments: readonly PointSegment[],
  chosen: Point,
  cut: number,
  usable: UsablePoints,
): Promise<readonly PointRange[]> {
  const ranges: PointRange[] = [];
  for (let head = chosen.head, index = 0; head < cut && index < segments.length; index++) {
    const segment = segments[index]!;
    const later = (await usable.pointsOf(segment)).filter(({ number }) => number > chosen.number);
    const end = later.find((point) => point.head >= cut) ?? later.at(-1);
    if (!end) continue;
    ranges.push({ segment, from: later[0]!.number, to: end.number });
    head = end.head;
  }
  return ranges;
}

async function findLast<T>(values: readonly T[], isWanted: (value: T) => Promise<boolean>): Promise<T | undefined> {
  for (let index = values.length - 1; index >= 0; index--) if (await isWanted(values[index]!)) return values[index];
  return undefined;
}

type Runs = readonly (readonly PointSegment[])[];
type TimeReader = (position: number) => Promise<number>;

/** Points of segments up to the end of the log. */
interface UsablePoints {
  readonly pointsOf: (segment: PointSegment) => Promise<readonly Point[]>;
  /** @param segment whose first point is one */
  readonly lastOf: (segment: PointSegment) => Promise<Point>;
}

function createPointReader(
  target: BackupTarget,
  key: Buffer | undefined,
  end: number,
  lastNumber: number,
): UsablePoints {
  const pointsOf = async (segment: PointSegment): Promise<readonly Point[]> => {
    if (segment.from === segment.to) return [segment.last];
    const points = await useSegment(target, segment.name, key, (lines) => pointsIn(segment, lines));
    return points.filter(({ head, number }) => head <= end && number <= lastNumber);
  };
  return {
    pointsOf,
    lastOf: async (segment) =>
      segment.last.head <= end && segment.to <= lastNumber ? segment.last : (await pointsOf(segment)).at(-1)!,
  };
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
function createTimeReader(target: BackupTarget, key: Buffer | undefined, log: readonly LogSegment[]): TimeReader {
  let kept: { readonly segment: LogSegment; readonly times: readonly number[] } | undefined;
  return async (position) => {
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
