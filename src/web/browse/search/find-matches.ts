import { getPlayerEvents } from '../../../api/operations/directory/get-player-events.ts';
import { searchPlayers } from '../../../api/operations/directory/player-operations.ts';
import { getTeam, listTeams } from '../../../api/operations/directory/team-operations.ts';
import { listEvents } from '../../../api/operations/events/list-events.ts';
import { resolvePlayer } from '../../../api/operations/resolving/resolve-player.ts';
import { resolveTeam } from '../../../api/operations/resolving/resolve-team.ts';
import { findLeague, findSport, type League, SPORTS } from '../../../domain/catalogue/catalogue.ts';
import { rulesOf } from '../../../domain/catalogue/sport-rules.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { foldText } from '../../../domain/primitives/name-normalization.ts';
import { DAY, formatDate } from '../../../domain/primitives/time.ts';
import type { KeylessCall } from '../keyless-calls.ts';

export interface Match {
  readonly kind: 'league' | 'team' | 'player' | 'event';
  readonly to: string;
  readonly name: string;
  /** What tells it from others of the same name. */
  readonly about: string;
  /** Of an event. */
  readonly startsAt?: string;
}

export interface Matches {
  readonly leagues: readonly Match[];
  readonly teams: readonly Match[];
  readonly players: readonly Match[];
  readonly events: readonly Match[];
}

interface Found extends Match {
  readonly id: number;
  readonly sport: string;
}

/** The words between two sides, such as in `Chiefs at Bills`. */
const BETWEEN_SIDES = /\s+(?:vs?\.?|at|@|[-–])\s+/i;
/** Teams or players whose events are listed. */
const MAX_WITH_EVENTS = 3;
/** Days from now in which events are looked for: as far as a list of a player's events goes by itself. */
const EVENT_DAYS = 30;

/**
 * Events, teams, players and leagues by a name, or by two with `at` or `vs` between them. First what the resolvers
 * mean by it, then what contains it.
 * @param limit of each kind
 * @param now milliseconds
 */
export async function findMatches(call: KeylessCall, text: string, limit: number, now: number): Promise<Matches> {
  const sides = text.split(BETWEEN_SIDES).filter((side) => side !== '');
  const found = await Promise.all(
    sides.slice(0, 2).map(async (side) => ({
      teams: await findTeams(call, side, limit),
      players: await findPlayers(call, side, limit),
    })),
  );
  const events = await findEvents(call, found, limit, now);
  const merged = <Item extends Found>(lists: readonly (readonly Item[])[]) =>
    distinct(lists.flat()).slice(0, limit).map(shown);
  return {
    leagues: findLeagues(text).slice(0, limit).map(leagueMatch),
    teams: merged(found.map(({ teams }) => teams)),
    players: merged(found.map(({ players }) => players)),
    events,
  };
}

const shown = ({ kind, to, name, about }: Match): Match => ({ kind, to, name, about });

const distinct = <Item extends { readonly id: number }>(items: readonly Item[]): Item[] => [
  ...new Map(items.map((item) => [item.id, item])).values(),
];

/** Every word of the text begins a word of the league or its sport. */
function findLeagues(text: string): readonly League[] {
  const words = foldText(text).split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  return SPORTS.flatMap(({ name: sport, leagues }) =>
    leagues.filter(({ name, abbreviation, slug }) => {
      const own = foldText([name, abbreviation, slug.replaceAll('_', ' '), sport].join(' ')).split(/[^\p{L}\p{N}]+/u);
      return words.every((word) => own.some((one) => one.startsWith(word)));
    }),
  );
}

export const leagueMatch = ({ slug, name, abbreviation, sport }: League): Match => ({
  kind: 'league',
  to: `/leagues/${slug}`,
  name,
  about: [...new Set([abbreviation, findSport(sport)!.name])].filter((part) => part !== name).join(' · '),
});

async function findTeams(call: KeylessCall, query: string, limit: number): Promise<Found[]> {
  const [meant, containing] = await Promise.all([
    call(resolveTeam, { query }),
    call(listTeams, { q: query.trim(), limit }),
  ]);
  const ids = meant.team_id === null ? meant.candidates.map(({ team_id }) => team_id) : [meant.team_id];
  const known = new Map(containing.data.map((team) => [team.id, team]));
  const resolved = await Promise.all(ids.slice(0, limit).map((id) => known.get(id) ?? call(getTeam, { id })));
  return distinct([...resolved, ...containing.data])
    .slice(0, limit)
    .map(({ id, name, sport, league }) => {
      return { kind: 'team', id, sport, to: `/teams/${id}`, name, about: leagueName(league) };
    });
}

async function findPlayers(call: KeylessCall, query: string, limit: number): Promise<Found[]> {
  const [meant, containing] = await Promise.all([
    call(resolvePlayer, { query, options: { mode: 'permissive' } }),
    call(searchPlayers, { q: query.trim(), limit }),
  ]);
  const resolved =
    meant.player_id === null
      ? meant.candidates
      : [{ player_id: meant.player_id, display_name: meant.display_name!, sport: meant.sport! }];
  const known = new Map(containing.data.map((player) => [player.id, player]));
  const aboutOf = (sport: string, id: number) => {
    const player = known.get(id);
    return [player?.current_team_name, player?.position, sportName(sport)].filter(Boolean).join(' · ');
  };
  return distinct([
    ...resolved.map(({ player_id: id, display_name: name, sport }) => ({ id, name, sport })),
    ...containing.data.map(({ id, full_name: name, sport }) => ({ id, name, sport })),
  ])
    .slice(0, limit)
    .map(({ id, name, sport }) => {
      return { kind: 'player', id, sport, to: `/players/${id}`, name, about: aboutOf(sport, id) };
    });
}

export const leagueName = (slug: string): string => findLeague(slug)?.name ?? slug;
const sportName = (slug: string): string => findSport(slug)?.name ?? slug;

interface FoundSide {
  readonly teams: readonly Found[];
  readonly players: readonly Found[];
}

/** The events of what was found that are nearest to now; of two sides those in which both stand. */
async function findEvents(
  call: KeylessCall,
  [first, second]: readonly FoundSide[],
  limit: number,
  now: number,
): Promise<Match[]> {
  if (!first) return [];
  const own = await Promise.all([
    ...first.teams.slice(0, MAX_WITH_EVENTS).map(({ id }) => eventsOfTeam(call, id, now)),
    ...first.players
      .filter(({ sport }) => rulesOf(sport).entry === 'player')
      .slice(0, MAX_WITH_EVENTS)
      .map(({ id, name }) => eventsOfPlayer(call, id, name)),
  ]);
  const names = second && [...second.teams, ...second.players].map(({ name }) => name);
  const distance = ({ startsAt }: Match) => Math.abs(timeOf(startsAt!) - now);
  return distinct(own.flat())
    .filter(({ name }) => !names || names.some((other) => name.includes(other)))
    .sort((a, b) => distance(a) - distance(b))
    .slice(0, limit)
    .map(({ kind, to, name, about, startsAt }) => ({ kind, to, name, about, startsAt }));
}

type FoundEvent = Match & { readonly id: number; readonly startsAt: string };

async function eventsOfTeam(call: KeylessCall, team_id: number, now: number): Promise<FoundEvent[]> {
  const [from, to] = [formatDate(now - EVENT_DAYS * DAY), formatDate(now + EVENT_DAYS * DAY)];
  const { events } = await call(listEvents, { team_id, from, to, limit: 100 });
  return events.map(({ id, name, league, starts_at }) => eventMatch(id, name, leagueName(league), starts_at));
}

async function eventsOfPlayer(call: KeylessCall, id: number, name: string): Promise<FoundEvent[]> {
  const { data } = await call(getPlayerEvents, { id, limit: 100 });
  return data.map(({ event_id, opponent, competition, starts_at }) =>
    eventMatch(event_id, `${name} v. ${opponent.name}`, competition, starts_at),
  );
}

const eventMatch = (id: number, name: string, about: string, startsAt: string): FoundEvent => ({
  kind: 'event',
  id,
  to: `/events/${id}`,
  name,
  about,
  startsAt,
});
