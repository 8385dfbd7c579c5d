import { timeOf } from '../../domain/observations/observation.ts';
import { contentFingerprint } from '../../domain/primitives/canonical-json.ts';
import type { DomainEvent } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';

interface ReportedData {
  readonly at: string;
  readonly source: string;
  /** It names the bookmaker itself. */
  readonly content?: { readonly bookmaker?: string | null };
  /** Revision of the record that holds the content. */
  readonly of?: number;
  /** Of whom it was said, where a stream has several. */
  readonly bookmaker?: string;
  readonly player?: string;
}

/** A stream with what the batch in hand has staged to it; `revision` is that of the last of these. */
interface StreamWithStaged {
  readonly stream: string;
  readonly revision: number;
  readonly staged: readonly DomainEvent[];
}

/** Records of a stream that are looked through: a minute of several sources, and more. */
const MAX_RECORDS_SEARCHED = 64;

/**
 * Whether each of these is what its source said of its subject nearest to it in time, and less than `withinMs` from it,
 * though others have said something else since: to the subject it is a change, and to the source it is nothing new.
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
    const near = await nearest(type, data as ReportedData);
    if (!near || contentFingerprint(near) !== contentFingerprint(content!)) return false;
  }
  return true;

  /** What this source said of that, repetitions included. */
  async function nearest(type: string, event: ReportedData): Promise<object | undefined> {
    const { at, source, player } = event;
    const distance = (said: ReportedData): number => Math.abs(timeOf(said.at) - timeOf(at));
    const near = newest
      .map((record) => ({ record, said: record.data as ReportedData }))
      .filter(
        ({ said }) => said.source === source && bookmakerOf(said) === bookmakerOf(event) && said.player === player,
      )
      .filter(({ said }) => distance(said) < withinMs)
      .sort((a, b) => distance(a.said) - distance(b.said));
    for (const { record, said } of near) {
      const told = said.of === undefined ? record : await recordAt(said.of);
      if (told?.type === type) return (told.data as ReportedData).content;
    }
    return undefined;
  }

  async function recordAt(revision: number) {
    const known = newest.find((record) => record.revision === revision);
    return known ?? (await log.readStream(stream, { fromRevision: revision, limit: 1 }))[0];
  }
}

const bookmakerOf = ({ bookmaker, content }: ReportedData): string | null => bookmaker ?? content?.bookmaker ?? null;
