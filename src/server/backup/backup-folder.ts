import type { BackupTarget } from './backup-target.ts';

/**
 * A backup has a folder for each timeline. A timeline is the history of one data folder from the moment
 * when it began to be backed up; a restored folder begins one of its own, so histories never mix. In a timeline stand:
 * - `log/FROM-TO.seg`: the records of these positions;
 * - `points/NUMBER-TIME-HEAD-base.seg`: all rows beside the log as of one moment, when the log ended with HEAD;
 * - `points/NUMBER-TIME-HEAD-next.seg`: what has changed of them since the point with the number before;
 * - `points/FIRST-NUMBER-TIME-HEAD-TIME-HEAD-next.seg`: several of these, one after the other, with time and head of the
 *   first and of the last.
 * Each file is whole if it is there. A set with a gap ends before the gap.
 */
export interface LogSegment {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface Point {
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly takenAt: number;
  /** The last position of the log; 0: the log was empty. */
  readonly head: number;
}

export interface PointSegment {
  readonly name: string;
  /** Numbers of the points in it. */
  readonly from: number;
  readonly to: number;
  readonly first: Point;
  /** Not taken before the first. */
  readonly last: Point;
  /** Then it has one point. */
  readonly isBase: boolean;
}

export interface Timeline {
  readonly id: string;
  /** By `from`; of those that begin alike, the longest comes first. */
  readonly log: readonly LogSegment[];
  /** As the log. */
  readonly points: readonly PointSegment[];
}

const LOG_NAME = /^(\d{16})-(\d{16})\.seg$/;
const POINT_NAME = /^(\d{10})-(\d{15})-(\d{16})-(base|next)\.seg$/;
const JOINED_POINTS_NAME = /^(\d{10})-(\d{10})-(\d{15})-(\d{16})-(\d{15})-(\d{16})-next\.seg$/;
const TIMELINE_NAME = /^\d{8}T\d{9}Z-[0-9a-f]{8}$/;
/** As names have numbers: they sort as the numbers do. */
export const digits = (value: number, width: number): string => String(value).padStart(width, '0');

export const logSegmentName = (timeline: string, from: number, to: number): string =>
  `${timeline}/log/${digits(from, 16)}-${digits(to, 16)}.seg`;

const placeOf = ({ takenAt, head }: Point): string => `${digits(takenAt, 15)}-${digits(head, 16)}`;

export const pointSegmentName = (timeline: string, point: Point, isBase: boolean): string =>
  `${timeline}/points/${digits(point.number, 10)}-${placeOf(point)}-${isBase ? 'base' : 'next'}.seg`;

export const joinedPointsName = (timeline: string, first: Point, last: Point): string =>
  `${timeline}/points/${digits(first.number, 10)}-${digits(last.number, 10)}-${placeOf(first)}-${placeOf(last)}-next.seg`;

/** Names sort by time. */
export const timelineId = (now: number, random: Uint8Array): string =>
  `${new Date(now).toISOString().replaceAll(/[-:.]/g, '')}-${Buffer.from(random).toString('hex')}`;

/** When a timeline began, in milliseconds since 1970. */
export const begunAt = (id: string): number =>
  Date.parse(id.replace(/^(....)(..)(..)T(..)(..)(..)(...)Z.*$/, '$1-$2-$3T$4:$5:$6.$7Z'));

/** The timelines of a backup, the oldest first. */
export const listTimelines = async (target: BackupTarget): Promise<readonly string[]> =>
  (await target.folders()).filter((name) => TIMELINE_NAME.test(name));

export async function readTimeline(target: BackupTarget, id: string): Promise<Timeline> {
  const log: LogSegment[] = [];
  const points: PointSegment[] = [];
  for (const name of await target.names(id)) {
    const [part, file = ''] = name.slice(id.length + 1).split('/');
    const segment = part === 'log' ? logSegmentOf(name, file) : undefined;
    if (segment) log.push(segment);
    const point = part === 'points' ? pointSegmentOf(name, file) : undefined;
    if (point) points.push(point);
  }
  return { id, log: log.sort(byPlace), points: points.sort(byPlace) };
}

/** @param file the name within its folder @returns undefined if it is no segment of the log */
export function logSegmentOf(name: string, file: string): LogSegment | undefined {
  const [, from, to] = LOG_NAME.exec(file) ?? [];
  return to ? { name, from: Number(from), to: Number(to) } : undefined;
}

/** The same of a segment of points. */
export function pointSegmentOf(name: string, file: string): PointSegment | undefined {
  const single = POINT_NAME.exec(file);
  if (single) {
    const [number, takenAt, head] = single.slice(1, 4).map(Number) as [number, number, number];
    const point = { number, takenAt, head };
    return { name, from: number, to: number, first: point, last: point, isBase: single[4] === 'base' };
  }
  const [from, to, begunAt, begunHead, takenAt, head] = (JOINED_POINTS_NAME.exec(file) ?? []).slice(1).map(Number);
  if (head === undefined) return undefined;
  return {
    name,
    from: from!,
    to: to!,
    first: { number: from!, takenAt: begunAt!, head: begunHead! },
    last: { number: to!, takenAt: takenAt!, head },
    isBase: false,
  };
}

/** What segments of the log and of points have in common: which positions or numbers they hold. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const byPlace = (one: Span, other: Span): number => one.from - other.from || other.to - one.to;

/**
 * Segments that were joined stay for a while beside what they have become.
 * @param segments as a timeline has them
 * @returns those that lie within no other, and those that do
 */
export function splitJoined<T extends Span>(segments: readonly T[]): { readonly own: T[]; readonly joined: T[] } {
  const own: T[] = [];
  const joined: T[] = [];
  let furthest = 0;
  for (const segment of segments) {
    (segment.to > furthest ? own : joined).push(segment);
    furthest = Math.max(furthest, segment.to);
  }
  return { own, joined };
}

/** The last position up to which the log has no gap. */
export function endOfLog(log: readonly LogSegment[]): number {
  let end = 0;
  for (const { from, to } of log) if (from <= end + 1) end = Math.max(end, to);
  return end;
}

/** The segments that hold the positions from 1 to `head`, each position once as a reader goes; undefined: there is a gap. */
export function logSegmentsTo(log: readonly LogSegment[], head: number): readonly LogSegment[] | undefined {
  const chosen: LogSegment[] = [];
  let next = 1;
  let index = 0;
  while (next <= head) {
    // Where small segments were merged and not removed yet, several begin alike: the longest goes furthest.
    let best: LogSegment | undefined;
    for (; index < log.length && log[index]!.from <= next; index++)
      if (log[index]!.to >= next && (!best || log[index]!.to > best.to)) best = log[index]!;
    if (!best) return undefined;
    chosen.push(best);
    next = best.to + 1;
  }
  return chosen;
}

/**
 * Segments from which points can be restored: each follows a base without a gap, and the log up to the head of its first
 * point is there. Only the last one of a list may have points beyond the end of the log.
 * @returns lists from a base on, the oldest first
 */
export function usableRuns({ log, points }: Timeline): readonly (readonly PointSegment[])[] {
  const end = endOfLog(log);
  const runs: PointSegment[][] = [];
  let isWhole = false;
  for (const segment of splitJoined(points).own) {
    const last = runs.at(-1)?.at(-1);
    if (segment.isBase) {
      runs.push([]);
      isWhole = true;
    } else if (last?.to !== segment.from - 1) isWhole = false;
    if (isWhole && segment.first.head <= end) runs.at(-1)!.push(segment);
    if (segment.last.head > end) isWhole = false;
  }
  return runs.filter((run) => run.length > 0);
}
