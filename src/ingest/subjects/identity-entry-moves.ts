import { eventDecider } from '../../../commands/events/event-decider.ts';
import type { IdentityState } from '../../../commands/identity-decider.ts';
import { rulesOf } from '../../domain/catalogue/sport-rules.ts';
import { isReplayed } from '../../domain/event-sourcing/record.ts';
import type { IdentityMessage } from '../../domain/feed/feed-messages.ts';
import { effectiveActs, type IdentityPlan, planOf, type SourceRef } from '../../domain/identities/identity-plan.ts';
import { identityActsOf } from '../../domain/identities/stream-replacements.ts';
import type { EventSide } from '../../domain/sports-events/sports-event.ts';
import { type DomainRecord, streams, streamsOfPartition } from '../../domain/streams/domain-events.ts';
import type { IngestSession } from '../binding/ingest-session.ts';
import { type ContentOf, type PlannedAct, refused } from './identity-act.ts';
import { anyRefOf, findThing, scopedEntity } from './identity-things.ts';

type Merge = ContentOf<'merge'>;
type EntryKind = 'team' | 'player';

const nameOf = (thing: number | SourceRef): string =>
  typeof thing === 'number' ? String(thing) : `${thing.source}:${thing.ref}`;

/** `merge` of two teams or players: all that was reported of `from`, in every event that names it, is `into`'s. */
export async function planEntryMerge(
  session: IngestSession,
  what: EntryKind,
  { from, into }: IdentityMessage,
): Promise<PlannedAct<Merge>> {
  const first = await findThing(session, what, from!);
  if (!first) return refused('not_found', 'from', `there is no ${what} ${nameOf(from!)}`);
  const second = await findThing(session, what, into!);
  if (!second) return refused('not_found', 'into', `there is no ${what} ${nameOf(into!)}`);
  if (from === into) return refused('same', 'into', `${what} ${first.id} cannot be merged into itself`);
  if (first.id === second.id) {
    // `into` was merged into `from`: the other way round there would be nothing left.
    if (typeof into === 'number' && into !== second.id)
      return refused('cycle', 'into', `${what} ${into} was merged into ${first.id}`);
    return 'known';
  }
  const isOtherLeague = first.league !== null && second.league !== null && first.league !== second.league;
  if (first.sport !== second.sport || isOtherLeague) {
    const [one, other] = [first, second].map(({ sport, league }) => league ?? sport);
    return refused('different_league', 'into', `is of ${other}, ${first.id} is of ${one}`);
  }
  const met = await findMeeting(session, what, first.sport, [first.id, second.id]);
  if (met !== undefined)
    return refused('different_sides', 'into', `has met ${what} ${first.id} in event ${met}, so they are two`);
  const content: Merge = {
    action: 'merge',
    what,
    from: first.id,
    into: second.id,
    fromRef: await anyRefOf(session, what, first),
    intoRef: await anyRefOf(session, what, second),
    sport: second.sport,
    league: second.league ?? first.league,
  };
  const [refs] = await session.identities.listRefs([scopedEntity(what, first)]);
  let records = 0;
  for (const stream of streamsOfPartition(what, first.id)) records += await session.states.lengthOf(stream);
  return { content, moved: { records, refs: refs!.length } };
}

/** An event in which both take part. */
export async function findMeeting(
  { identities, states }: IngestSession,
  kind: EntryKind,
  sport: string,
  [one, other]: readonly [number, number],
): Promise<number | undefined> {
  const ofOther = new Set(await identities.eventsOfSide(`${kind}:${other}`));
  const both = (await identities.eventsOfSide(`${kind}:${one}`)).find((id) => ofOther.has(id));
  if (both !== undefined || kind === 'team' || !rulesOf(sport).hasPairs) return both;
  for (const id of await identities.eventsOfPairs()) {
    const sides = (await states.get(eventDecider, id)).event.schedule?.sides ?? [];
    const members = sides.flatMap((side) => side.members ?? []).map((member) => member.id);
    if (members.includes(one) && members.includes(other)) return id;
  }
  return undefined;
}

/**
 * An event that was merged into another rests on the merge of their sides: without that they are two games again.
 * @param act a merge of teams or players
 * @returns the first act that does
 */
export async function findEventMergeOn(
  session: IngestSession,
  state: IdentityState,
  act: number,
): Promise<number | undefined> {
  const acts = state.acts.map(({ content }, index) => ({ act: index + 1, content }));
  const without = acts.filter((one) => one.act !== act);
  const plans = { team: planOf(identityActsOf(without, 'team')), player: planOf(identityActsOf(without, 'player')) };
  for (const { id } of effectiveActs(identityActsOf(acts, 'event'))) {
    const later = Number(id);
    const { content } = acts[later - 1]!;
    if (later < act || content.action !== 'merge') continue;
    const pairs = new Set<string>();
    for (const event of [content.from, content.into]) await addPairs(session, event, plans, pairs);
    if (pairs.size > 1) return later;
  }
  return undefined;
}

/** Adds the sides of all schedules of an event, in any order, as they are by these plans. */
async function addPairs(
  { recordsUnder }: IngestSession,
  event: number,
  plans: Readonly<Record<EntryKind, IdentityPlan>>,
  pairs: Set<string>,
): Promise<void> {
  for await (const page of recordsUnder(streams.event(event))) {
    for (const record of page as readonly DomainRecord[]) {
      if (record.type !== 'EventScheduled' || isReplayed(record)) continue;
      const keys = record.data.content.sides.map((side) => keyBy(side, plans));
      // A placeholder fits every side.
      if (keys.every((key) => !key.startsWith('name:'))) pairs.add(keys.toSorted().join('~'));
    }
  }
}

function keyBy({ id, key }: EventSide, plans: Readonly<Record<EntryKind, IdentityPlan>>): string {
  if (id === null) return key;
  const kind = key.startsWith('team:') ? 'team' : 'player';
  return `${kind}:${plans[kind].meaningOf(id)}`;
}
