import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { basename, join } from 'node:path';
import { syncFolder } from '../../platform/data-folder/folder-file.ts';

/**
 * A backup is a folder with a folder for each timeline. A timeline is the history of one data folder from the moment
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

export function createTimeline(root: string, id: string): void {
  for (const part of ['log', 'points']) mkdirSync(join(root, id, part), { recursive: true, mode: 0o700 });
  syncFolder(join(root, id));
  syncFolder(root);
}

/** The timelines of a backup, the oldest first. A missing folder has none. */
export function listTimelines(root: string): readonly string[] {
  if (!existsSync(root)) return [];
  return readdirSync(root)
    .filter((name) => TIMELINE_NAME.test(name))
    .sort();
}

export function readTimeline(root: string, id: string): Timeline {
  const log = namesIn(join(root, id, 'log')).flatMap((file): readonly LogSegment[] => {
    const found = LOG_NAME.exec(file);
    return found ? [{ name: `${id}/log/${file}`, from: Number(found[1]), to: Number(found[2]) }] : [];
  });
  const points = namesIn(join(root, id, 'points')).flatMap((file): readonly PointSegment[] => {
    const found = POINT_NAME.exec(file);
    if (!found) return [];
    const [number, takenAt, head] = found.slice(1, 4).map(Number) as [number, number, number];
    return [{ name: `${id}/points/${file}`, number, takenAt, head, isBase: found[4] === 'base' }];
  });
  return { id, log, points };
}

/** Removes what a writer has left unfinished. Nobody else may write to the timeline. */
export function removeUnfinished(root: string, id: string): void {
  for (const part of ['log', 'points']) {
    const folder = join(root, id, part);
    for (const name of namesIn(folder)) if (name.endsWith('.unfinished')) rmSync(join(folder, name), { force: true });
  }
}

export const removeSegment = (root: string, name: string): void => rmSync(join(root, name), { force: true });

export const removeTimeline = (root: string, id: string): void =>
  rmSync(join(root, basename(id)), { recursive: true, force: true });

const namesIn = (folder: string): readonly string[] => (existsSync(folder) ? readdirSync(folder).sort() : []);

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
