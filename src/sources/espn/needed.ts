import { asRecord, asRecords, type Json } from '../importing/json-file.ts';
import type { Needed } from '../importing/needed-members.ts';

/** Without these a game cannot be taken. */
export const GAME: readonly Needed[] = [
  ['id', 'text'],
  ['date|startDate', 'time'],
  ['status.type.name', 'text'],
  ['competitors', 'list'],
  ['competitors[].id', 'text'],
  ['competitors[].homeAway', 'text'],
  ['competitors[].team|roster|athlete.displayName|name|fullName', 'text'],
];

export const TEAM: readonly Needed[] = [
  ['team.id', 'text'],
  ['team.displayName|name', 'text'],
  ['team.abbreviation', 'text'],
];

export const ATHLETE: readonly Needed[] = [
  ['id', 'text'],
  ['fullName|displayName', 'text'],
];

export const RANK: readonly Needed[] = [
  ['current', 'number'],
  ['athlete.id', 'text'],
  ['athlete.displayName|fullName', 'text'],
];

export const INJURY: readonly Needed[] = [
  ['athlete.displayName|fullName', 'text'],
  ['status', 'text'],
];

/** The games of a scoreboard, and where they stand in it; an event without any stands for one that has no members. */
export function gamesIn(events: readonly Json[]): { at: string; games: Json[] } {
  const grouped = events.some((event) => Array.isArray(event['groupings']));
  const at = grouped ? 'events[].groupings[].competitions[]' : 'events[].competitions[]';
  const games = events.flatMap((event) => {
    const groups = asRecords(event['groupings']);
    const lists = groups.length > 0 ? groups.map((group) => group['competitions']) : [event['competitions']];
    // What a game does not say of itself its event says.
    const about = { id: event['id'], date: event['date'], status: event['status'] };
    return lists.flatMap((list) =>
      Array.isArray(list) ? list.map((game) => ({ ...about, ...asRecord(game) })) : [NOT_LISTED],
    );
  });
  return { at, games };
}

const NOT_LISTED: Json = {};
