import { eventDecider } from '../../../commands/events/event-decider.ts';
import { type IdentityState, numberedActs } from '../../../commands/identity-decider.ts';
import { rulesOf } from '../../domain/catalogue/sport-rules.ts';
import { isReplayed } from '../../domain/event-sourcing/record.ts';
import type { IdentityMessage } from '../../domain/feed/feed-messages.ts';
import { effectiveActs, entryRef } from '../../domain/identities/identity-plan.ts';
import { type EntryPlans, entryPlans, identityActsOf } from '../../domain/identities/stream-replacements.ts';
import type { EventSide } from '../../domain/sports-events/sports-event.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import type { IngestSession } from '../binding/ingest-session.ts';
import type { EntryKind } from '../binding/pending-descriptions.ts';
import { type ContentOf, type PlannedAct, refused } from './identity-act.ts';
import { planMerge } from './plan-merge.ts';

type Merge = ContentOf<'merge'>;
/** `merge` of two teams or players: all that was reported of `from`, in every event that names it, is `into`'s. */
export async function planEntryMerge(
  session: IngestSession,
  what: EntryKind,
  message: IdentityMessage,
): Promise<PlannedAct<Merge>> {
  return planMerge(session, what, message, async (first, second) => {
    const isOtherLeague = first.league !== null && second.league !== null && first.league !== second.league;
    if (first.sport !== second.sport || isOtherLeague) {
      const [one, other] = [first, second].map(({ sport, league }) => league ?? sport);
      return refused('different_league', 'into', `is of ${other}, ${first.id} is of ${one}`);
    }
    const met = await findMeeting(session, what, first.sport, [first.id, second.id]);
    return met === undefined
      ? undefined
      : refused('different_sides', 'into', `has met ${what} ${first.id} in event ${met}, so they are two`);
  });
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
 * An event that was merged into another rests on the act that made their sides one: without that they are two games
 * again.
 * @param act a merge or split of teams or players
 * @returns the first act that does
 */
export async function findEventMergeOn(
  session: IngestSession,
  state: IdentityState,
  act: number,
): Promise<number | undefined> {
  const acts = numberedActs(state);
  const plans = entryPlans(acts.filter((one) => one.act !== act));
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
  plans: EntryPlans,
  pairs: Set<string>,
): Promise<void> {
  for await (const page of recordsUnder(streams.event(event))) {
    for (const record of page as readonly DomainRecord[]) {
      if (record.type !== 'EventScheduled' || isReplayed(record)) continue;
      const { sport, source, content } = record.data;
      const keys = content.sides.map((side) => keyBy(side, { sport, source }, plans));
      // A placeholder fits every side.
      if (keys.every((key) => !key.startsWith('name:'))) pairs.add(keys.toSorted().join('~'));
    }
  }
}

function keyBy(
  { id, key, ref }: EventSide,
  { sport, source }: { readonly sport: string; readonly source: string },
  plans: EntryPlans,
): string {
  if (id === null) return key;
  const kind = key.startsWith('team:') ? 'team' : 'player';
  const sourceRef = ref === undefined ? {} : { sourceRef: entryRef(sport, { source, ref }) };
  return `${kind}:${plans[kind].ownerOf({ home: id, ...sourceRef })}`;
}
