import type { LogRecord } from '../../../domain/event-sourcing/record.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { streams } from '../../../domain/streams/domain-events.ts';
import type { EventLog } from '../../../event-log/port/event-log.ts';
import type { Bookmakers } from '../../../read-models/rendering/bookmakers.ts';
import { STATUS_WORDS } from '../../live/page/view-model/status-words.ts';

/** A fact as a source reported it. */
export interface SourcedFact {
  readonly what: string;
  /** What it says; empty where only its kind is shown. */
  readonly says: string;
  readonly source: string;
  readonly observedAt: string;
  readonly recordedAt: string;
}

/** Facts of each stream that are read, and facts that are shown. */
const MAX_FACTS = 100;

/** What the record is about, by the beginning of its type. */
const SUBJECTS: readonly (readonly [RegExp, string])[] = [
  [/^(?:EventScheduled|Schedule)/, 'Schedule'],
  [/^Score/, 'Score'],
  [/^Prices/, 'Prices'],
  [/^Splits/, 'Public bets'],
  [/^Box/, 'Box score'],
  [/^Lineup/, 'Lineup'],
  [/^InjuriesChecked/, 'Injuries checked'],
  [/^EventBound/, 'Id at a source'],
  [/^ParticipantDescribed/, 'Name of a side'],
  [/^EventRestated/, 'Identity'],
];

/** Members of the records of an event's streams, as far as they are shown. */
interface FactData {
  readonly at: string;
  readonly source: string;
  readonly ref?: string;
  readonly bookmaker?: string;
  readonly of?: number;
  readonly correction?: true;
  readonly profile?: { readonly name?: string };
  readonly content?: {
    readonly status?: string;
    readonly starts_at?: string;
    readonly bookmaker?: string;
    readonly period?: string;
    readonly clock?: string;
    readonly sides?: readonly ({ readonly score?: string } | null)[];
  };
}

/**
 * The newest facts of an event, the last recorded first.
 * @param observedBy only those that a source had seen by then, in milliseconds
 */
export async function readSourcedFacts(
  log: Pick<EventLog, 'readStream' | 'replacements'>,
  bookmakers: Pick<Bookmakers, 'nameOf'>,
  id: number,
  observedBy = Number.POSITIVE_INFINITY,
): Promise<SourcedFact[]> {
  const kinds = [streams.event, streams.odds, streams.splits, streams.box, streams.lineup];
  const read = kinds.map((nameOf) =>
    log.readStream(log.replacements.current(nameOf(id)), { direction: 'backwards', limit: MAX_FACTS }),
  );
  const records = (await Promise.all(read)).flat();
  return records
    .filter(({ data }) => timeOf((data as FactData).at) <= observedBy)
    .sort((a, b) => (a.position < b.position ? 1 : -1))
    .slice(0, MAX_FACTS)
    .map((record) => describeFact(record, bookmakers));
}

function describeFact({ type, data, recordedAt }: LogRecord, bookmakers: Pick<Bookmakers, 'nameOf'>): SourcedFact {
  const { at, source, ref, of, content, correction, profile, ...rest } = data as FactData;
  const slug = rest.bookmaker ?? content?.bookmaker;
  const status = content?.status;
  const scores = content?.sides?.flatMap((side) => side?.score ?? []) ?? [];
  const says = [
    slug !== undefined && slug !== null && bookmakers.nameOf(slug),
    content?.starts_at !== undefined && `starts ${content.starts_at.slice(0, 16).replace('T', ' ')} UTC`,
    status !== undefined && (STATUS_WORDS[status as keyof typeof STATUS_WORDS] ?? status),
    scores.join('–'),
    [content?.period, content?.clock].filter(Boolean).join(' '),
    profile?.name,
    type === 'EventBound' && ref,
    of !== undefined && 'unchanged',
    correction && 'correction',
  ].filter(Boolean);
  const what = SUBJECTS.find(([pattern]) => pattern.test(type))?.[1] ?? type;
  return { what, says: says.join(' · '), source, observedAt: at, recordedAt };
}
