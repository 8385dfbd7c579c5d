import { listTimelines, logSegmentsTo, readTimeline, type Timeline } from './backup-folder.ts';
import { type BackupTarget, useSegment } from './backup-target.ts';
import type { RecordLine } from './capture.ts';
import { usableRuns } from './restore-plan.ts';

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
}

/** Looks at what stands there by its names. */
export async function describeBackup(target: BackupTarget): Promise<readonly VerifiedTimeline[]> {
  const timelines: Timeline[] = [];
  for (const id of await listTimelines(target)) timelines.push(await readTimeline(target, id));
  return timelines.map((timeline) => {
    const { id } = timeline;
    const points = usableRuns(timeline).flat();
    const problems: string[] = [];
    const last = timeline.points.at(-1);
    if (last && points.at(-1) !== last) problems.push(`${last.name}: a segment before it is missing`);
    const head = Math.max(0, ...timeline.points.map((point) => point.head));
    if (!logSegmentsTo(timeline.log, head)) problems.push(`${id}/log: there is a gap before record ${head}`);
    return {
      timeline: id,
      segments: timeline.log.length + timeline.points.length,
      records: points.at(-1)?.head ?? 0,
      from: points[0]?.takenAt ?? null,
      to: points.at(-1)?.takenAt ?? null,
      problems,
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
    for (const segment of [...log, ...points]) {
      onSegment();
      try {
        await useSegment(target, segment.name, key, (lines) => {
          if ('from' in segment) assertPositions(segment, lines as Iterable<RecordLine>);
          else for (const _ of lines);
        });
      } catch (error) {
        problems.push((error as Error).message);
      }
    }
    verified.push({ ...found, problems });
  }
  return verified;
}

function assertPositions(
  { name, from, to }: { name: string; from: number; to: number },
  lines: Iterable<RecordLine>,
): void {
  let next = from;
  for (const [position] of lines) if (position !== next++) throw new Error(`${name}: it lacks record ${next - 1}`);
  if (next !== to + 1) throw new Error(`${name}: it lacks record ${next}`);
}
