import { isReplayed } from '../../domain/event-sourcing/record.ts';
import type { StreamDecider } from '../../domain/event-sourcing/stream-decider.ts';
import type { FeedMessage } from '../../domain/feed/feed-messages.ts';
import type { DomainEventType, DomainRecord } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { HandlingResult, IngestSession } from '../binding/ingest-session.ts';
import { refuseLeague } from '../binding/refuse-league.ts';
import { boxSubject } from './box-subject.ts';
import { contractsSubject } from './contracts-subject.ts';
import { deductionsSubject } from './deductions-subject.ts';
import { identitySubject } from './identity-subject.ts';
import { injuriesSubject } from './injuries-subject.ts';
import { lineupSubject } from './lineup-subject.ts';
import { oddsSubject } from './odds-subject.ts';
import { outrightsSubject } from './outrights-subject.ts';
import { playerSubject } from './player-subject.ts';
import { splitsSubject } from './splits-subject.ts';
import { seasonSubject, sportsEventSubject, sportsSubject } from './sports-event-subject.ts';
import type { AnySubject, MessageRules, ReplayedMessage } from './subject.ts';
import { teamSubject } from './team-subject.ts';
import { venuesSubject } from './venues-subject.ts';

/** All subjects of the feeds. A new subject is a file in `subjects/` and a line here. */
const ALL_SUBJECTS = [
  sportsEventSubject,
  oddsSubject,
  splitsSubject,
  boxSubject,
  lineupSubject,
  teamSubject,
  playerSubject,
  injuriesSubject,
  seasonSubject,
  identitySubject,
  deductionsSubject,
  outrightsSubject,
  sportsSubject,
  venuesSubject,
  contractsSubject,
] as const;
export const SUBJECTS: readonly AnySubject[] = ALL_SUBJECTS;

type KindsOf<Subject> = Subject extends { readonly messages: infer Messages } ? keyof Messages : never;
type HandledKind = KindsOf<(typeof ALL_SUBJECTS)[number]>;

const rulesByKind: ReadonlyMap<string, MessageRules<any>> = new Map(
  SUBJECTS.flatMap(({ messages }) => Object.entries(messages)),
);

/** The rules for this message. The type check excludes kinds that no subject handles. */
export const messageRulesFor = ({ kind }: FeedMessage & { readonly kind: HandledKind }): MessageRules<FeedMessage> =>
  rulesByKind.get(kind)!;

/** Handles a message. One that has waited may be of a league that was taken out meanwhile. */
export async function handleMessage(session: IngestSession, message: FeedMessage): Promise<HandlingResult> {
  const { league, match } = message as { readonly league?: string; readonly match?: { readonly league: string } };
  const named = league ?? match?.league;
  const rejection =
    named === undefined ? undefined : refuseLeague(named, league === undefined ? 'match.league' : 'league');
  return rejection ? { status: 'rejected', rejection } : messageRulesFor(message).handle(session, message);
}

/** Finds the record of a stream with this revision, for reconfirmations. */
export type FindRecord = (stream: string, revision: number) => Promise<DomainRecord | undefined>;

export const createRecordFinder =
  (log: Pick<EventLog, 'readStream'>): FindRecord =>
  async (stream, revision) =>
    (await log.readStream(stream, { fromRevision: revision, limit: 1 }))[0] as DomainRecord | undefined;

const replayByType = new Map(SUBJECTS.flatMap((subject) => Object.entries(subject.replay)));
const swapByType = new Map(SUBJECTS.flatMap((subject) => Object.entries(subject.swap ?? {})));

/**
 * Rebuilds the feed messages of a record: none for a record that the server derived itself or replayed. Sent to another server in
 * the order of the log, they produce the same state, except for the ids.
 */
export async function replayedMessagesOf(record: DomainRecord, find: FindRecord): Promise<readonly ReplayedMessage[]> {
  if (isReplayed(record)) return [];
  const report = await reportOf(record, find);
  if (!report) return [];
  const { data } = report;
  const isSwapped = 'origin' in data && data.origin !== undefined && 'turned' in data.origin;
  const message = replayByType.get(report.type)?.(isSwapped ? swapReport(report) : report);
  return message ? [message] : [];
}

/** The record with its content; undefined if it repeats a record that the stream does not have. */
export async function reportOf(record: DomainRecord, find: FindRecord): Promise<DomainRecord | undefined> {
  const { data } = record;
  if (!('of' in data)) return record;
  const original = await find(record.stream, data.of);
  if (!original || 'of' in original.data) return undefined;
  const { at, source } = data;
  const ref = 'ref' in data ? { ref: data.ref } : {};
  const origin = 'origin' in data ? { origin: data.origin } : {};
  const { position, revision, recordedAt, meta } = record;
  const repeated = { ...original, position, revision, recordedAt, meta };
  return { ...repeated, data: { ...original.data, at, source, ...origin, ...ref } } as DomainRecord;
}

/** A report with the sides in the opposite order. */
export function swapReport(record: DomainRecord): DomainRecord {
  const swap = swapByType.get(record.type);
  if (!swap || !('content' in record.data) || !('sport' in record.data)) return record;
  const { content, sport } = record.data;
  return { ...record, data: { ...record.data, content: swap(content, sport) } } as DomainRecord;
}

/** The subject of a stream is the one whose decider has this type of event. */
const deciderByType: ReadonlyMap<string, StreamDecider> = new Map(
  SUBJECTS.flatMap(({ decider }) => Object.keys(decider.stream.versions).map((type) => [type, decider] as const)),
);

export const deciderOf = ({ type }: { readonly type: DomainEventType }): StreamDecider => deciderByType.get(type)!;
