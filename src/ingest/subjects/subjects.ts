import type { FeedMessage } from '../../domain/feed/feed-messages.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import { boxSubject } from './box-subject.ts';
import { identitySubject } from './identity-subject.ts';
import { injuriesSubject } from './injuries-subject.ts';
import { lineupSubject } from './lineup-subject.ts';
import { oddsSubject } from './odds-subject.ts';
import { playerSubject } from './player-subject.ts';
import { splitsSubject } from './splits-subject.ts';
import { seasonSubject, sportsEventSubject } from './sports-event-subject.ts';
import type { AnySubject, MessageRules, ReplayedMessage } from './subject.ts';
import { teamSubject } from './team-subject.ts';

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

/** Finds the record of a stream with this revision, for reconfirmations. */
export type FindRecord = (stream: string, revision: number) => Promise<DomainRecord | undefined>;

const replayByType = new Map(SUBJECTS.flatMap((subject) => Object.entries(subject.replay)));

/**
 * Rebuilds the feed messages of a record: none for a record that the server derived itself. Sent to another server in
 * the order of the log, they produce the same state, except for the ids.
 */
export async function replayedMessagesOf(record: DomainRecord, find: FindRecord): Promise<readonly ReplayedMessage[]> {
  const { data } = record;
  if ('of' in data) {
    const original = await find(record.stream, data.of);
    if (!original || 'of' in original.data) return [];
    const { at, source } = data;
    const origin = 'origin' in data ? { origin: data.origin } : {};
    const ref = 'ref' in data ? { ref: data.ref } : {};
    return replayedMessagesOf(
      { ...original, data: { ...original.data, at, source, ...origin, ...ref } } as DomainRecord,
      find,
    );
  }
  const message = replayByType.get(record.type)?.(record);
  return message ? [message] : [];
}
