import {
  digits,
  endOfLog,
  type LogSegment,
  logSegmentOf,
  logSegmentsTo,
  type Point,
  type PointSegment,
  pointSegmentOf,
  readTimeline,
  splitJoined,
} from '../backup/backup-folder.ts';
import { type BackupTarget, useSegment } from '../backup/backup-target.ts';
import type { RecordLine } from '../backup/capture.ts';
import type { FollowPlace } from '../backup/follow-place.ts';
import type { PointLine } from '../backup/restore-folder.ts';
import { pointsIn } from '../backup/restore-plan.ts';
import { FollowError, type PointWriter } from './point-writer.ts';

/** Looks at every name of the history once in so many looks that found nothing. */
const THOROUGH_EVERY = 10;

interface FollowerParts {
  readonly target: BackupTarget;
  readonly key: Buffer | undefined;
  readonly writer: PointWriter;
}

/** Follows one history of a backup, point by point. */
export interface Follower {
  /**
   * Brings in what is there of the next segment of points.
   * @param isThorough looks at all names, and not only for the segment that is expected
   * @returns whether anything was brought in
   * @throws FollowError, or an error of the target
   */
  step(isThorough?: boolean): Promise<boolean>;
  place(): FollowPlace;
}

export function createFollower({ target, key, writer }: FollowerParts): Follower {
  let looks = 0;

  /** The segment of the next point, by its name alone, and the records up to it. */
  async function findExpected({ timeline, number }: FollowPlace) {
    const [name] = await target.names(timeline, `points/${digits(number + 1, 10)}`);
    const segment = name === undefined ? undefined : pointSegmentOf(name, name.slice(`${timeline}/points/`.length));
    if (!segment || segment.from !== segment.to) {
      // It was joined with others.
      if (name !== undefined) looks = THOROUGH_EVERY;
      return undefined;
    }
    const log: LogSegment[] = [];
    for (let head = writer.head(); head < segment.last.head; ) {
      const names = await target.names(timeline, `log/${digits(head + 1, 16)}-`);
      const found = names.map((one) => logSegmentOf(one, one.slice(`${timeline}/log/`.length))).at(-1);
      if (!found) return undefined;
      log.push(found);
      head = found.to;
    }
    return { segment, log, end: Math.max(segment.last.head, log.at(-1)?.to ?? 0) };
  }

  /** The same among all names: after a long time, joined segments stand there, or only a later base. */
  async function findAny({ timeline, number }: FollowPlace) {
    const { log, points } = await readTimeline(target, timeline);
    const own = splitJoined(points).own;
    const segment =
      own.find(({ from, to }) => from <= number + 1 && number + 1 <= to) ??
      own.find(({ isBase, from }) => isBase && from > number);
    const end = endOfLog(log);
    if (!segment || segment.first.head > end) return undefined;
    const head = Math.min(segment.last.head, end);
    return { segment, log: (logSegmentsTo(log, head) ?? []).filter(({ to }) => to > writer.head()), end };
  }

  async function bringIn(segment: PointSegment, log: readonly LogSegment[], end: number): Promise<boolean> {
    const { timeline, number } = writer.place();
    const points = (await useSegment(target, segment.name, key, (lines) => pointsIn(segment, lines))).filter(
      (point) => point.number > number && point.head <= end,
    );
    for (const point of points) await bringInPoint(timeline, segment, point, log);
    return points.length > 0;
  }

  async function bringInPoint(timeline: string, segment: PointSegment, point: Point, log: readonly LogSegment[]) {
    // Nothing of it shows before it was read to its end, where its checksum stands.
    await useSegment(target, segment.name, key, (lines) => writer.stage(linesOf(segment, point, lines)));
    writer.writeNames();
    for (const { name, from, to } of log) {
      if (to <= writer.head() || from > point.head) continue;
      // Read twice: the first time for its checksum, since records that are written cannot be taken back.
      await useSegment(target, name, key, (lines) => {
        for (const _ of lines);
      });
      await useSegment(target, name, key, (lines) => writer.writeRecords(lines as Iterable<RecordLine>, point.head));
    }
    if (writer.head() !== point.head)
      throw new FollowError(`point ${point.number} is of record ${point.head}, and the log ends with ${writer.head()}`);
    writer.finish({ timeline, ...point });
  }

  return {
    place: writer.place,
    async step(isThorough = false) {
      const place = writer.place();
      const all = isThorough || looks >= THOROUGH_EVERY;
      looks++;
      const found = (await findExpected(place)) ?? (all ? await findAny(place) : undefined);
      if (all) looks = 0;
      if (!found) return false;
      return bringIn(found.segment, found.log, found.end);
    },
  };
}

/** The lines of one point of a segment; reads on to the end. */
function* linesOf({ from }: PointSegment, { number }: Point, lines: Iterable<unknown>): Generator<PointLine> {
  let at = from - 1;
  for (const line of lines as Iterable<PointLine>) {
    if (line.form !== undefined) at++;
    if (at === number) yield line;
  }
}
