import { eventDecider } from '../../../commands/events/event-decider.ts';
import { sourceRefKey } from '../../domain/identities/identity-plan.ts';
import type { StreamReplacements } from '../../domain/identities/stream-replacements.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { areSidesSwapped, pairKeyOf } from '../binding/event-binding.ts';
import { type IngestSession, identityKeyOf } from '../binding/ingest-session.ts';

/**
 * Stages refs and starts of events as their present streams have them: each ref means the event under which it is
 * recorded, and what has no event any more is found by nobody.
 * @returns keys that quarantined messages may wait for
 */
export async function bindRefsAnew(
  session: IngestSession,
  replacements: StreamReplacements,
  events: readonly number[],
): Promise<readonly string[]> {
  const { identities } = session;
  const keys = new Set<string>();
  const bound = new Set<string>();
  for (const id of events) {
    await yieldToEventLoop();
    for (const { source, ref, swapped } of await refsUnder(session, id)) {
      bound.add(sourceRefKey({ source, ref }));
      keys.add(identityKeyOf.event(source, ref));
      const known = await identities.findEvent(source, ref);
      // The event may have its sides in another order since.
      if (known?.id !== id || known.swapped !== swapped) await identities.bindEvent(source, ref, { id, swapped });
    }
  }
  for (const pair of await putStarts(session, events)) keys.add(identityKeyOf.pair(pair));
  // Refs under which nothing is recorded yet: a person has bound them.
  const plan = replacements.planAt('event');
  for (const id of events) {
    const [refs] = await identities.listRefs([{ kind: 'event', scope: '', id }]);
    for (const { source, ref, swapped } of refs!) {
      if (bound.has(sourceRefKey({ source, ref }))) continue;
      const owner = plan.ownerOf({ home: id, sourceRef: { source, ref } });
      if (owner === id) continue;
      keys.add(identityKeyOf.event(source, ref));
      // A ref moves only from a binding that was looked up.
      if ((await identities.findEvent(source, ref))?.id !== id) continue;
      const isOtherOrder = await haveOtherOrder(session, id, owner);
      await identities.bindEvent(source, ref, { id: owner, swapped: swapped !== isOtherOrder });
    }
  }
  return [...keys];
}

/** Whether two events have the same sides in the opposite order. */
async function haveOtherOrder({ states }: IngestSession, id: number, other: number): Promise<boolean> {
  const sides = (await states.get(eventDecider, id)).event.schedule?.sides;
  const state = await states.get(eventDecider, other);
  return (sides && areSidesSwapped(state, [sides[0].key, sides[1].key])) === true;
}

/** The refs of an event in its stream, and whether the source has the sides in the opposite order. */
async function refsUnder({ states }: IngestSession, id: number) {
  const refs = new Map<string, { readonly source: string; readonly ref: string; readonly swapped: boolean }>();
  const add = (source: string, ref: string, swapped: boolean): void => {
    const key = sourceRefKey({ source, ref });
    if (!refs.has(key)) refs.set(key, { source, ref, swapped });
  };
  for await (const page of states.recordsOf(`event-${id}`)) {
    for (const { type, data } of page as readonly DomainRecord[]) {
      if (type === 'EventBound') add(data.source, data.ref, data.turned);
      else if (type === 'EventScheduled' || type === 'ScheduleReconfirmed' || type === 'ScheduleRepeated') {
        if (data.origin?.ref !== undefined) add(data.source, data.origin.ref, data.origin.turned === true);
      }
    }
  }
  return refs.values();
}

/** Where messages look for the events. An event that has nothing any more is not found by its sides. */
async function putStarts(
  { identities, states }: IngestSession,
  events: readonly number[],
): Promise<ReadonlySet<string>> {
  const gone: number[] = [];
  const pairs = new Set<string>();
  for (const id of events) {
    await yieldToEventLoop();
    const { schedule } = (await states.get(eventDecider, id)).event;
    const [first, second] = schedule?.sides ?? [];
    if (!schedule || !first || !second) {
      gone.push(id);
      continue;
    }
    const pair = pairKeyOf(first.key, second.key);
    if (pair !== null) pairs.add(pair);
    await identities.putFixture(
      id,
      { pair, startsAt: timeOf(schedule.starts_at), sides: [first.key, second.key] },
      null,
    );
  }
  // Only events of the same sides are ever one: their pairs are those of the events that are left.
  for (const id of gone) {
    for (const pair of pairs) await identities.putFixture(id, { pair: null, startsAt: 0, sides: ['', ''] }, pair);
  }
  return pairs;
}
