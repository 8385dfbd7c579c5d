import {
  endOfLog,
  listTimelines,
  type Point,
  type PointSegment,
  readTimeline,
  splitJoined,
  type Timeline,
  usableRuns,
} from './backup-folder.ts';
import { type BackupTarget, useSegment } from './backup-target.ts';
import { readBelieved } from './believed-timelines.ts';
import type { RecordLine } from './capture.ts';
import { pointsIn } from './restore-plan.ts';

/** What is said of one timeline. */
export interface VerifiedTimeline {
  readonly timeline: string;
  readonly segments: number;
  /** The last position that can be restored. */
  readonly records: number;
  /** Milliseconds since 1970; null: nothing can be restored. */
  readonly from: number | null;
  readonly to: number | null;
  /** One line each, with the name of the segment. */
  readonly problems: readonly string[];
  /** Whether the lease leaves it out: another server was writing in its place. */
  readonly isLeftOut: boolean;
}

/** Looks at what stands there by its names. */
export async function describeBackup(target: BackupTarget): Promise<readonly VerifiedTimeline[]> {
  const timelines: Timeline[] = [];
  const believed = new Set((await readBelieved(target)).map(({ id }) => id));
  for (const id of await listTimelines(target)) timelines.push(await readTimeline(target, id));
  return timelines.map((timeline) => {
    const { id } = timeline;
    const points = usableRuns(timeline).flat();
    const problems: string[] = [];
    const last = splitJoined(timeline.points).own.at(-1);
    if (last && points.at(-1) !== last) problems.push(`${last.name}: a segment before it is missing`);
    const head = timeline.points.reduce((furthest, point) => Math.max(furthest, point.last.head), 0);
    if (endOfLog(timeline.log) < head) problems.push(`${id}/log: there is a gap before record ${head}`);
    return {
      timeline: id,
      segments: timeline.log.length + timeline.points.length,
      records: Math.min(points.at(-1)?.last.head ?? 0, endOfLog(timeline.log)),
      from: points[0]?.first.takenAt ?? null,
      to: points.at(-1)?.last.takenAt ?? null,
      problems,
      isLeftOut: !believed.has(id),
    };
  });
}

/** Reads every segment whole. @param onSegment called before each */
export async function verifyBackup(
  target: BackupTarget,
  key: Buffer | undefined,
  onSegment: () => void = () => {},
): Promise<readonly VerifiedTimeline[]> {
  const verified: VerifiedTimeline[] = [];
  for (const found of await describeBackup(target)) {
    const { log, points } = await readTimeline(target, found.timeline);
    const problems = [...found.problems];
    const read = async (name: string, use: (lines: Iterable<unknown>) => void): Promise<void> => {
      onSegment();
      await useSegment(target, name, key, use).catch((error: Error) => void problems.push(error.message));
    };
    for (const one of log) await read(one.name, (lines) => assertPositions(one, lines as Iterable<RecordLine>));
    for (const one of points) await read(one.name, (lines) => assertPoints(one, pointsIn(one, lines)));
    verified.push({ ...found, problems });
  }
  return verified;
}

function assertPoints({ name, to, last }: PointSegment, found: readonly Point[]): void {
  const end = found.at(-1);
  if (end?.number !== to || end.head !== last.head || end.takenAt !== last.takenAt)
    throw new Error(`${name}: it does not end with point ${to}`);
}

function assertPositions(
  { name, from, to }: { name: string; from: number; to: number },
  lines: Iterable<RecordLine>,
): void {
  let next = from;
  for (const [position] of lines) if (position !== next++) throw new Error(`${name}: it lacks record ${next - 1}`);
  if (next !== to + 1) throw new Error(`${name}: it lacks record ${next}`);
}
