import type { InterpretedQuery } from './read-query.ts';

/** The request with the same result: members in the order of the documentation, without nulls. */
export function equivalentRequest(interpreted: InterpretedQuery): string {
  const { sport, league, status, date, from, to, team_id, player_id, limit } = interpreted;
  return player_id === null
    ? requestOf('/v1/events', { sport, league, status, date, from, to, team_id, limit })
    : requestOf(`/v1/players/${player_id}/events`, { status, ...playerDays(interpreted), limit });
}

/** The list of a player's events takes no single date. */
export const playerDays = ({ date, from, to }: InterpretedQuery) => ({ from: date ?? from, to: date ?? to });

function requestOf(path: string, filters: Readonly<Record<string, string | number | null>>): string {
  const members = Object.entries(filters).filter(([, value]) => value !== null);
  const query = members.map(([name, value]) => `${name}=${value}`).join('&');
  return query === '' ? `GET ${path}` : `GET ${path}?${query}`;
}
