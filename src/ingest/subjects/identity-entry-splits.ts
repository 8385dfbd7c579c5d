import { rulesOf } from '../../domain/catalogue/sport-rules.ts';
import type { IdentityMessage } from '../../domain/feed/feed-messages.ts';
import { entriesOfSide } from '../../domain/sports-events/sports-event.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import type { SourceRef } from '../../domain/streams/identity-stream.ts';
import type { IngestSession } from '../binding/ingest-session.ts';
import type { EntryKind } from '../binding/pending-descriptions.ts';
import { type ContentOf, type PlannedAct, refused } from './identity-act.ts';
import { anyRefOf, findByRef, findNamed, type KnownThing, refusedAsAmbiguous } from './identity-things.ts';

type Split = ContentOf<'split'>;

/**
 * `split` of a team or player: what a source calls this ref is one of its own, or `into`, with all that was told under
 * the ref: descriptions, injuries, and the events that have it as a side. What names the entry by its name alone stays,
 * whoever said so: nobody but the sources knows which of two things of one name they mean.
 */
export async function planEntrySplit(
  session: IngestSession,
  what: EntryKind,
  { source_ref: sourceRef, into, sport }: IdentityMessage,
): Promise<PlannedAct<Split>> {
  const { source, ref } = sourceRef!;
  const other = into === undefined ? undefined : await findNamed(session, what, into, 'into', sport);
  if (other && 'rejection' in other) return other;
  const known = await findByRef(session, what, { source, ref });
  const ofSport = known.filter((one) => one.sport === (sport ?? one.sport));
  const [from, another] = ofSport.length > 1 ? ofSport.filter((one) => one.sport === other?.sport) : ofSport;
  if (ofSport.length > 1 && (!from || another)) return refusedAsAmbiguous(what, { source, ref }, 'source_ref', ofSport);
  if (!from) return refused('not_found', 'source_ref', `there is no ${what} ${source}:${ref}`);
  if (other?.id === from.id) return 'known';
  const isOtherLeague = other && other.league !== null && from.league !== null && other.league !== from.league;
  if (other && (other.sport !== from.sport || isOtherLeague))
    return refused(
      'different_league',
      'into',
      `is of ${other.league ?? other.sport}, ${from.id} is of ${from.league ?? from.sport}`,
    );
  if (other) {
    const met = await findMeetingUnder(session, what, { source, ref }, from, other);
    if (met !== undefined)
      return refused('different_sides', 'into', `has met ${source}:${ref} in event ${met}, so they are two`);
  }
  const under = await lookUnder(session, what, { source, ref }, from);
  if (!other && !under.isNamed)
    return refused('not_found', 'source_ref', `${source} has told no name of ${ref}: it would have none`);
  if (!under.hasOthers)
    return refused('same', 'source_ref', `is all that ${what} ${from.id} has. Merge it into another one instead`);
  return {
    content: {
      action: 'split',
      what,
      sourceRef: { source, ref },
      from: from.id,
      into: other?.id ?? (await session.identities.allocate(what))[0]!,
      intoRef: other ? await anyRefOf(session, what, other) : null,
      sport: from.sport,
      league: from.league ?? other?.league ?? null,
      ...(other ? {} : { isNew: true as const }),
      // Which names go with it is known once its records are read, just before the act is recorded.
      names: { own: [], shared: [] },
    },
    moved: { records: under.records, refs: 1 },
  };
}

/** An event in which what the source calls this ref plays against `other`: it would play against itself. */
export async function findMeetingUnder(
  session: IngestSession,
  what: EntryKind,
  { source, ref }: SourceRef,
  from: Pick<KnownThing, 'id' | 'sport'>,
  other: Pick<KnownThing, 'id'>,
): Promise<number | undefined> {
  const ofOther = new Set(await session.identities.eventsOfSide(`${what}:${other.id}`));
  for (const event of await eventsNaming(session, what, from)) {
    if (!ofOther.has(event) && !isOfPairs(what, from.sport)) continue;
    for await (const schedule of sidesIn(session, event)) {
      const isUnder = schedule.source === source && schedule.named.some((one) => one.ref === ref);
      if (isUnder && schedule.named.some(({ id }) => id === other.id)) return event;
    }
  }
  return undefined;
}

const isOfPairs = (what: EntryKind, sport: string): boolean => what === 'player' && rulesOf(sport).hasPairs;

/** The events of which an entry is a side, or in which it is a member of a pair, as far as pairs are known at all. */
async function eventsNaming(
  { identities }: IngestSession,
  what: EntryKind,
  { id, sport }: Pick<KnownThing, 'id' | 'sport'>,
): Promise<readonly number[]> {
  const events = await identities.eventsOfSide(`${what}:${id}`);
  return isOfPairs(what, sport) ? [...events, ...(await identities.eventsOfPairs())] : events;
}

/** The sides of all schedules of an event, with the entries that they mean now. */
async function* sidesIn({ states }: IngestSession, event: number) {
  for await (const page of states.recordsOf(streams.event(event))) {
    for (const record of page as readonly DomainRecord[]) {
      if (record.type !== 'EventScheduled') continue;
      const { source, content } = record.data;
      yield { source, named: content.sides.flatMap(entriesOfSide) };
    }
  }
}

/** What an entry has under a ref of a source, and whether something else names it. */
async function lookUnder(
  session: IngestSession,
  what: EntryKind,
  { source, ref }: SourceRef,
  from: KnownThing,
): Promise<{ readonly records: number; readonly isNamed: boolean; readonly hasOthers: boolean }> {
  const { states } = session;
  let [records, isNamed, hasOthers] = [0, false, false];
  for (const stream of what === 'team'
    ? [streams.team(from.id), streams.injuries(from.id)]
    : [streams.player(from.id)]) {
    for await (const page of states.recordsOf(stream)) {
      for (const { type, data } of page as readonly DomainRecord[]) {
        if (type === 'InjuryReported' || type === 'InjuryReconfirmed') {
          const isUnder = data.source === source && data.origin?.team_ref === ref;
          if (isUnder) records++;
          continue;
        }
        const isReport = type === 'TeamReconfirmed' || type === 'PlayerReconfirmed';
        const isDescribed = (type === 'TeamChanged' || type === 'PlayerChanged') && data.content.rank === 'described';
        if (!isReport && !isDescribed) continue;
        const isUnder = data.source === source && data.ref === ref;
        if (isUnder) records++;
        isNamed ||= isUnder;
        hasOthers ||= !isUnder;
      }
    }
  }
  for (const event of isNamed && hasOthers ? [] : await eventsNaming(session, what, from)) {
    for await (const schedule of sidesIn(session, event)) {
      for (const { id, ref: called } of schedule.named) {
        if (id !== from.id) continue;
        if (schedule.source === source && called === ref) isNamed = true;
        else hasOthers = true;
      }
    }
    if (isNamed && hasOthers) break;
  }
  return { records, isNamed, hasOthers };
}
