import { timeOf } from '../../domain/observations/observation.ts';
import { contentFingerprint } from '../../domain/primitives/canonical-json.ts';
import type { DomainEvent } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';

interface ReportedData {
  readonly at: string;
  readonly source: string;
  /** Names the bookmaker itself. */
  readonly content?: { readonly bookmaker?: string | null };
  /** Revision of the record that holds the content, for a reconfirmation. */
  readonly of?: number;
  /** The subject of the report, in streams with several subjects. */
  readonly bookmaker?: string;
  readonly player?: string;
}

/** A stream with the events that the current batch has staged. `revision` is the revision of the last staged event. */
interface StreamWithStaged {
  readonly stream: string;
  readonly revision: number;
  readonly staged: readonly DomainEvent[];
}

/** Records of a stream that are searched: more than several sources report in a minute. */
const MAX_RECORDS_SEARCHED = 64;

/**
 * Whether each event repeats the report of its source nearest in time, less than `withinMs` away, although other
 * sources have reported something else since. Such an event is a change for the subject, but nothing new from the
 * source.
 */
export async function isRepeatOfSource(
  log: Pick<EventLog, 'readStream'>,
  { stream, revision, staged }: StreamWithStaged,
  events: readonly DomainEvent[],
  withinMs: number,
): Promise<boolean> {
  if (!events.every(({ data }) => (data as Partial<ReportedData>).content !== undefined)) return false;
  const first = revision - staged.length + 1;
  const newest = [
    ...staged.map((event, index) => ({ ...event, revision: first + index })),
    ...(await log.readStream(stream, { direction: 'backwards', limit: MAX_RECORDS_SEARCHED })),
  ];
  for (const { type, data } of events) {
    const { content } = data as ReportedData;
    const nearby = await nearestReport(type, data as ReportedData);
    if (!nearby || contentFingerprint(nearby) !== contentFingerprint(content!)) return false;
  }
  return true;

  /** The nearest report of this source about the same subject, repetitions included. */
  async function nearestReport(type: string, event: ReportedData): Promise<object | undefined> {
    const { at, source, player } = event;
    const distance = (reported: ReportedData): number => Math.abs(timeOf(reported.at) - timeOf(at));
    const nearby = newest
      .map((record) => ({ record, said: record.data as ReportedData }))
      .filter(
        ({ said: reported }) =>
          reported.source === source && bookmakerOf(reported) === bookmakerOf(event) && reported.player === player,
      )
      .filter(({ said: reported }) => distance(reported) < withinMs)
      .sort((a, b) => distance(a.said) - distance(b.said));
    for (const { record, said: reported } of nearby) {
      const original = reported.of === undefined ? record : await recordAt(reported.of);
      if (original?.type === type) return (original.data as ReportedData).content;
    }
    return undefined;
  }

  async function recordAt(revision: number) {
    const known = newest.find((record) => record.revision === revision);
    return known ?? (await log.readStream(stream, { fromRevision: revision, limit: 1 }))[0];
  }
}

const bookmakerOf = ({ bookmaker, content }: ReportedData): string | null => bookmaker ?? content?.bookmaker ?? null;
