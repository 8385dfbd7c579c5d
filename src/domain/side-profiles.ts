import type { DirectoryRank } from './directory/directory-entries.ts';
import { timeOf } from './observations/observation.ts';
import { type EventSide, type Profile, profileFromSchedule } from './sports-events/sports-event.ts';
import type { DomainRecord } from './streams/domain-events.ts';

interface Described {
  readonly rank: DirectoryRank;
  readonly at: string;
  readonly profile: Profile;
}

/** The sides of an event as documents store them: from its schedule, and from the directory. */
export interface EventSides {
  sides: readonly [EventSide, EventSide] | null;
  described: Record<string, Described>;
}

export const newSides = (): EventSides => ({ sides: null, described: {} });

/** Applies a record to the sides; records of other types change nothing. Changes `header`. */
export function applySides(header: EventSides, record: DomainRecord): void {
  if (record.type === 'EventScheduled') {
    const { late, content } = record.data;
    header.sides = late ? (late.schedule?.sides ?? null) : content.sides;
  } else if (record.type === 'ParticipantDescribed') {
    const { side, rank, at, profile } = record.data;
    const current = header.described[side];
    if (!current || replaces(current, { rank, at, profile })) header.described[side] = { rank, at, profile };
  }
}

/** A description replaces a mention. The newest description counts, and the earliest mention. */
function replaces(current: Described, next: Described): boolean {
  if (current.rank !== next.rank) return next.rank === 'described';
  const later = timeOf(next.at) - timeOf(current.at);
  return next.rank === 'described' ? later >= 0 : later <= 0;
}

/** The profile that answers show for a side. */
export function profileOfSide(header: EventSides, index: 0 | 1): Profile | null {
  const side = header.sides?.[index];
  if (!side) return null;
  const described = header.described[side.key]?.profile;
  if (described) return described;
  return profileFromSchedule(side);
}

export const hasPlaceholder = (header: EventSides): boolean => header.sides?.some((side) => side.placeholder) ?? true;

/** Whether both sides are known: neither is a placeholder or a pair. */
export const hasKnownSides = ({ sides }: EventSides): boolean => sides?.every(({ id }) => id !== null) ?? false;
