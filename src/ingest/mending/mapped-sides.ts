import { rulesOf } from '../../domain/catalogue/sport-rules.ts';
import { entryRef, type IdentityPlan } from '../../domain/identities/identity-plan.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import { type EventSide, entriesOfSide } from '../../domain/sports-events/sports-event.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { EntryOf } from './entry-homes.ts';

export type ScheduleRecord = Extract<DomainRecord, { type: 'EventScheduled' }>;

/** The sides of a schedule, with the entries that they mean. */
export function mappedSides(
  { data: { sport, source, content } }: ScheduleRecord,
  entryOf: EntryOf,
): readonly [EventSide, EventSide] {
  const { entry: kind } = rulesOf(sport);
  const map = (side: EventSide): EventSide => {
    const { id, ref, name, members } = side;
    if (id !== null) {
      const meant = entryOf(kind, sport, { id, source, ref, name });
      return meant === id ? side : { ...side, id: meant, key: `${kind}:${meant}` };
    }
    if (!members) return side;
    const meant = members.map((member) => ({ ...member, id: entryOf(kind, sport, { ...member, source }) }));
    return meant.every((member, index) => member.id === members[index]!.id) ? side : { ...side, members: meant };
  };
  return [map(content.sides[0]), map(content.sides[1])];
}

/** A record as it would have been recorded: a schedule with the entries that its sides mean. */
export const withMappedSides = (record: DomainRecord, entryOf: EntryOf): DomainRecord =>
  record.type === 'EventScheduled'
    ? { ...record, data: { ...record.data, content: { ...record.data.content, sides: mappedSides(record, entryOf) } } }
    : record;

/** The entries that are sides, or members of a pair. */
export const entriesOfSides = (sides: readonly EventSide[]): readonly number[] =>
  sides.flatMap(entriesOfSide).map(({ id }) => id);

/** Whether a side of a schedule means another entry since an act, or none for sure. */
export function namesOthers({ sport, source, content }: ScheduleRecord['data'], plan: IdentityPlan): boolean {
  return content.sides.flatMap(entriesOfSide).some(({ id, ref, name }) => {
    if (ref !== undefined) return plan.ownerOf({ home: id, sourceRef: entryRef(sport, { source, ref }) }) !== id;
    const [owner, another] = plan.ownersOfName([id], normalizeName(name));
    return owner !== id || another !== undefined;
  });
}
