import type { EventDocument } from '../../../projections/events.ts';
import { monthOf, type TeamMonth, teamEntry, teamStarts } from '../../../projections/team-starts.ts';
import { streams } from '../../domain/domain-events.ts';
import { timeOf } from '../../domain/observation.ts';
import { isOver } from '../../domain/sports-event.ts';
import { DAY } from '../../domain/time.ts';
import type { TellerParts } from './teller.ts';

/** An event that began longer ago, and was never told to be over, is forgotten rather than under way. */
const LONGEST_AGO = 7 * DAY;
/** A month of the schedule is one document: mostly the first one has it. */
const MONTHS_AT_ONCE = 2;

/**
 * The event of a team that is next, or under way, as the log had it before a position: of those that were not over, and
 * began at most a week before `time`, the one with the earliest start; of several the one with the smallest id.
 * @param time milliseconds
 * @param committed a position of the log that is there, at this one or behind it
 */
export type NextEvent = (
  teamId: number,
  time: number,
  position: bigint,
  committed: bigint,
) => Promise<EventDocument | undefined>;

export function nextEventOf({ store, events, projected }: TellerParts): NextEvent {
  return async (teamId, time, position, committed) => {
    await projected(position);
    const from = time - LONGEST_AGO;
    const seen = new Set<string>();
    let next: { readonly document: EventDocument; readonly start: number } | undefined;
    for (let month = monthOf(from); ; ) {
      const months = await store.find<TeamMonth>(teamStarts.name, {
        where: { entry: teamEntry(teamId) },
        range: { field: 'month', from: month },
        order: { field: 'month', direction: 'asc' },
        limit: MONTHS_AT_ONCE,
      });
      const mayBe = months
        .flatMap(({ document }) => Object.entries(document.events))
        .map(([id, starts]) => ({ id, earliest: starts.find((start) => start >= from) ?? Number.POSITIVE_INFINITY }))
        .sort((a, b) => a.earliest - b.earliest || Number(a.id) - Number(b.id));
      for (const { id, earliest } of mayBe) {
        if (next && earliest > next.start) break;
        if (seen.has(id) || earliest === Number.POSITIVE_INFINITY) continue;
        seen.add(id);
        const document = await events.beforePosition(streams.event(Number(id)), id, position, committed);
        const start = document && startOf(document, teamId);
        if (start === undefined || start < from) continue;
        if (!next || start < next.start || (start === next.start && document!.id < next.document.id)) {
          // Lent, and what is asked next may change it no more: it is of another stream.
          next = { document: document!, start };
        }
      }
      const last = months.at(-1)?.document.month;
      if (last === undefined || months.length < MONTHS_AT_ONCE || (next && monthOf(next.start) <= last)) {
        return next?.document;
      }
      month = last + 1;
    }
  };
}

/** When it begins; undefined where it is over, or the team does not stand in it. */
function startOf({ event, sides }: EventDocument, teamId: number): number | undefined {
  if (!event.schedule || isOver(event.status)) return undefined;
  const isIn = sides?.some(({ key, id }) => id === teamId && key.startsWith('team:'));
  return isIn ? timeOf(event.schedule.starts_at) : undefined;
}
