import type { BackupTarget } from './backup-target.ts';

/**
 * A backup has a folder for each timeline. A timeline is the history of one data folder from the moment
 * when it began to be backed up; a restored folder begins one of its own, so histories never mix. In a timeline stand:
 * - `log/FROM-TO.seg`: the records of these positions;
 * - `points/NUMBER-TIME-HEAD-base.seg`: all rows beside the log as of one moment, when the log ended with HEAD;
 * - `points/NUMBER-TIME-HEAD-next.seg`: what has changed of them since the point with the number before.
 * Each file is whole if it is there. A set with a gap ends before the gap.
 */
export interface LogSegment {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

export interface PointSegment {
  readonly name: string;
  readonly number: number;
  /** Milliseconds since 1970. */
  readonly takenAt: number;
  /** The last position of the log; 0: the log was empty. */
  readonly head: number;
  readonly isBase: boolean;
}

export interface Timeline {
  readonly id: string;
  /** By `from`. */
  readonly log: readonly LogSegment[];
  /** By number. */
  readonly points: readonly PointSegment[];
}

const LOG_NAME = /^(\d{16})-(\d{16})\.seg$/;
const POINT_NAME = /^(\d{10})-(\d{15})-(\d{16})-(base|next)\.seg$/;
const TIMELINE_NAME = /^\d{8}T\d{9}Z-[0-9a-f]{8}$/;
const digits = (value: number, width: number): string => String(value).padStart(width, '0');

export const logSegmentName = (timeline: string, from: number, to: number): string =>
  `${timeline}/log/${digits(from, 16)}-${digits(to, 16)}.seg`;

export const pointSegmentName = (timeline: string, point: Omit<PointSegment, 'name'>): string =>
  `${timeline}/points/${digits(point.number, 10)}-${digits(point.takenAt, 15)}-${digits(point.head, 16)}-` +
  `${point.isBase ? 'base' : 'next'}.seg`;

/** Names sort by time. */
export const timelineId = (now: number, random: Uint8Array): string =>
  `${new Date(now).toISOString().replaceAll(/[-:.]/g, '')}-${Buffer.from(random).toString('hex')}`;

/** The timelines of a backup, the oldest first. */
export const listTimelines = async (target: BackupTarget): Promise<readonly string[]> =>
  (await target.folders()).filter((name) => TIMELINE_NAME.test(name));

export async function readTimeline(target: BackupTarget, id: string): Promise<Timeline> {
  const log: LogSegment[] = [];
  const points: PointSegment[] = [];
  for (const name of await target.names(id)) {
    const [part, file = ''] = name.slice(id.length + 1).split('/');
    const [, from, to] = (part === 'log' && LOG_NAME.exec(file)) || [];
    if (to) log.push({ name, from: Number(from), to: Number(to) });
    const [, number, takenAt, head, kind] = (part === 'points' && POINT_NAME.exec(file)) || [];
    if (!kind) continue;
    points.push({
      name,
      number: Number(number),
      takenAt: Number(takenAt),
      head: Number(head),
      isBase: kind === 'base',
    });
  }
  return { id, log, points };
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
