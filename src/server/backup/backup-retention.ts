import {
  begunAt,
  joinedPointsName,
  listTimelines,
  logSegmentName,
  type PointSegment,
  readTimeline,
  type Span,
  splitJoined,
  type Timeline,
} from './backup-folder.ts';
import { type BackupTarget, useSegment } from './backup-target.ts';
import { writeSegment } from './segment-file.ts';

/** Records in a joined segment, at most. */
const JOINED_RECORDS = 50_000;
/** Points in a joined segment, at most. */
const JOINED_POINTS = 1000;
/** Fewer segments than these are left as they are. */
const WORTH_JOINING = 16;

/** What is to be tidied. */
export interface TidyOrder {
  readonly timeline: string;
  /** No moment before this is restored any more; milliseconds since 1970. */
  readonly before: number;
}

/** Joins small segments, and removes what no moment needs any more. Captures may run beside it, also in other threads. */
export async function tidyTimeline(
  target: BackupTarget,
  { timeline, before }: TidyOrder,
  key: Buffer | undefined,
): Promise<void> {
  await joinSegments(target, timeline, key);
  await removeExpired(target, timeline, before);
}

/**
 * Joins small segments that follow each other; each record and each point stays. What was joined is removed by the next
 * call: whoever reads the backup meanwhile finds what it has seen.
 */
async function joinSegments(target: BackupTarget, timeline: string, key: Buffer | undefined): Promise<void> {
  const { log, points } = await readTimeline(target, timeline);
  const [ofLog, ofPoints] = [splitJoined(log), splitJoined(points)];
  for (const { name } of [...ofLog.joined, ...ofPoints.joined]) await target.remove(name);
  for (const run of runsOf(ofLog.own, JOINED_RECORDS))
    await join(target, run, logSegmentName(timeline, run[0]!.from, run.at(-1)!.to), key);
  for (const run of runsOfPoints(ofPoints.own))
    await join(target, run, joinedPointsName(timeline, run[0]!.first, run.at(-1)!.last), key);
}

async function join(
  target: BackupTarget,
  run: readonly { readonly name: string }[],
  name: string,
  key: Buffer | undefined,
): Promise<void> {
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
}

/** A base stays alone, and times in a segment only grow: so its name says which moments it has. */
const isLater = (before: PointSegment, one: PointSegment): boolean =>
  !before.isBase && !one.isBase && before.last.takenAt <= one.first.takenAt && before.last.head <= one.first.head;

/** Segments of points that are joined. */
export const runsOfPoints = (points: readonly PointSegment[]): readonly (readonly PointSegment[])[] =>
  runsOf(points, JOINED_POINTS, isLater);

/** Lists of segments that are worth joining. @param most positions or numbers in one */
function runsOf<T extends Span>(
  segments: readonly T[],
  most: number,
  mayFollow: (before: T, one: T) => boolean = () => true,
): readonly (readonly T[])[] {
  const runs: T[][] = [];
  for (const segment of segments) {
    const run = runs.at(-1);
    const before = run?.at(-1);
    const isNext = before && before.to + 1 === segment.from && mayFollow(before, segment);
    if (isNext && segment.to - run![0]!.from < most) run!.push(segment);
    else runs.push([segment]);
  }
  return runs.filter((run) => run.length >= WORTH_JOINING);
}

/**
 * Removes what no moment since `before` needs: points before the newest base of that time, and other timelines that had
 * ended by then. Records of the log always stay: each is a part of every later moment.
 */
async function removeExpired(target: BackupTarget, current: string, before: number): Promise<void> {
  for (const id of await listTimelines(target)) {
    const timeline = await readTimeline(target, id);
    if (id !== current && endOf(timeline) < before) {
      await target.removeFolder(id);
      continue;
    }
    const base = timeline.points.findLast(({ isBase, last }) => isBase && last.takenAt <= before);
    if (!base) continue;
    for (const { name, to } of timeline.points) if (to < base.from) await target.remove(name);
  }
}

/** When its last point was taken; without any, when it began. */
const endOf = ({ id, points }: Timeline): number => points.at(-1)?.last.takenAt ?? begunAt(id);
