import type { OperationContext } from '../../../api/calls/operation/operation.ts';
import { getPlayerEvents } from '../../../api/operations/directory/get-player-events.ts';
import { searchPlayers } from '../../../api/operations/directory/player-operations.ts';
import { getTeam, listTeams } from '../../../api/operations/directory/team-operations.ts';
import { resolvePlayer } from '../../../api/operations/resolving/resolve-player.ts';
import { resolveTeam } from '../../../api/operations/resolving/resolve-team.ts';
import { findLeague, findSport, type League, SPORTS } from '../../../domain/catalogue/catalogue.ts';
import { rulesOf } from '../../../domain/catalogue/sport-rules.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { foldText } from '../../../domain/primitives/name-normalization.ts';
import { DAY } from '../../../domain/primitives/time.ts';
import type { KeylessCall } from '../keyless-calls.ts';
import { readPast, readUpcoming, scoreText } from '../shared/event-lists.ts';
import { isAlmostCalled, unchangedParts } from './almost-called.ts';

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
  /** The next ones first. */
  readonly coming: readonly Match[];
  /** The newest first. */
  readonly past: readonly Match[];
  /** Nothing has the name as it is written: these are called almost so. */
  readonly isNear: boolean;
}

interface Found extends Match {
  readonly id: number;
  readonly sport: string;
}

/** The words between two sides, such as in `Chiefs at Bills`. */
const BETWEEN_SIDES = /\s+(?:vs?\.?|at|@|[-–])\s+/i;
/** Teams or players whose events are listed. */
const MAX_WITH_EVENTS = 3;
/** How much is looked for. */
export interface SearchDepth {
  /** Of each kind. */
  readonly limit: number;
  /** Stretches of three months in which former games of two sides are looked for. */
  readonly spansOfTwo: number;
  /** Whether what is not found as it is written is looked for with a typo, or as two sides: some sixty lists more. */
  readonly hasNear: boolean;
}

/**
 * Events, teams, players and leagues by a name, or by two of sides. First what the resolvers mean by it, then what
 * contains it; where there is neither, what is called almost so.
 */
export async function findMatches(
  call: KeylessCall,
  context: OperationContext,
  text: string,
  depth: SearchDepth,
): Promise<Matches> {
  const { limit, hasNear } = depth;
  const leagues = findLeagues(text).slice(0, limit).map(leagueMatch);
  const { sides, isNear } = await findSides(call, text, limit, hasNear && leagues.length === 0);
  const events = await findEvents(call, context, sides, depth);
  const merged = <Item extends Found>(lists: readonly (readonly Item[])[]) =>
    distinct(lists.flat()).slice(0, limit).map(shown);
  return {
    leagues,
    teams: merged(sides.map(({ teams }) => teams)),
    players: merged(sides.map(({ players }) => players)),
    ...events,
    isNear,
  };
}

interface FoundSides {
  readonly sides: readonly FoundSide[];
  readonly isNear: boolean;
}

/** The one or two sides that a text names. @param hasNear whether those are looked for that are called almost so */
async function findSides(call: KeylessCall, text: string, limit: number, hasNear: boolean): Promise<FoundSides> {
  const names = text
    .split(BETWEEN_SIDES)
    .filter((side) => side !== '')
    .slice(0, 2);
  const sides = await Promise.all(names.map((name) => findSide(call, name, limit)));
  if (sides.every(isKnown) || !hasNear) return { sides, isNear: false };
  const near = async (name: string, at: number) => {
    const side = sides[at]!;
    return isKnown(side) ? side : await findNearSide(call, name, limit);
  };
  if (names.length === 2) {
    const nearer = await Promise.all(names.map(near));
    // One that is still unknown leaves what was found of the other.
    return nearer.every(isKnown) ? { sides: nearer, isNear: true } : { sides, isNear: false };
  }
  const single = await near(text, 0);
  if (isKnown(single)) return { sides: [single], isNear: true };
  return (
    (await findTwoSides(text, (name) => findSide(call, name, limit), false)) ??
    (await findTwoSides(text, (name) => findNearSide(call, name, limit), true)) ?? { sides, isNear: false }
  );
}

/** Words of the longest text that is read as two names without a word between them. */
const MAX_WORDS_OF_TWO = 5;

/** Two sides that follow each other without a word between them, as in `chiefs bills`. */
async function findTwoSides(
  text: string,
  find: (name: string) => Promise<FoundSide>,
  isNear: boolean,
): Promise<FoundSides | undefined> {
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length > MAX_WORDS_OF_TWO) return undefined;
  for (let at = 1; at < words.length; at++) {
    const first = await find(words.slice(0, at).join(' '));
    const second = isKnown(first) ? await find(words.slice(at).join(' ')) : undefined;
    if (second && isKnown(second)) return { sides: [first, second], isNear };
  }
  return undefined;
}

const isKnown = ({ teams, players }: FoundSide): boolean => teams.length + players.length > 0;

const findSide = async (call: KeylessCall, name: string, limit: number): Promise<FoundSide> => {
  const [teams, players] = await Promise.all([findTeams(call, name, limit), findPlayers(call, name, limit)]);
  return { teams, players };
};

/** Teams and players whose names have a word with one typo. */
async function findNearSide(call: KeylessCall, name: string, limit: number): Promise<FoundSide> {
  const parts = unchangedParts(name);
  const [teams, players] = await Promise.all([
    Promise.all(parts.map((q) => call(listTeams, { q, limit: MAX_NEAR }))),
    Promise.all(parts.map((q) => call(searchPlayers, { q, limit: MAX_NEAR }))),
  ]);
  return {
    teams: distinct(teams.flatMap(({ data }) => data))
      .filter((team) => isAlmostCalled(name, [team.name, team.abbreviation ?? ''].join(' ')))
      .slice(0, limit)
      .map(teamFound),
    players: distinct(players.flatMap(({ data }) => data))
      .filter((player) => isAlmostCalled(name, player.full_name))
      .slice(0, limit)
      .map((player) => playerFound({ ...player, name: player.full_name }, player)),
  };
}
/** Of what contains one part: a part is seldom in so many names. */
const MAX_NEAR = 100;

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
    .map(teamFound);
}

interface ListedTeam {
  readonly id: number;
  readonly name: string;
  readonly sport: string;
  readonly league: string;
}

const teamFound = ({ id, name, sport, league }: ListedTeam): Found => {
  return { kind: 'team', id, sport, to: `/teams/${id}`, name, about: leagueName(league) };
};

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
  return distinct([
    ...resolved.map(({ player_id: id, display_name: name, sport }) => ({ id, name, sport })),
    ...containing.data.map(({ id, full_name: name, sport }) => ({ id, name, sport })),
  ])
    .slice(0, limit)
    .map((player) => playerFound(player, known.get(player.id)));
}

const playerFound = (
  { id, name, sport }: { readonly id: number; readonly name: string; readonly sport: string },
  more: { readonly current_team_name?: string | null; readonly position?: string | null } | undefined,
): Found => {
  const about = [more?.current_team_name, more?.position, sportName(sport)].filter(Boolean).join(' · ');
  return { kind: 'player', id, sport, to: `/players/${id}`, name, about };
};

export const leagueName = (slug: string): string => findLeague(slug)?.name ?? slug;
const sportName = (slug: string): string => findSport(slug)?.name ?? slug;

interface FoundSide {
  readonly teams: readonly Found[];
  readonly players: readonly Found[];
}

/** The events of what was found that come next, and the last ones; of two sides those in which both stand. */
async function findEvents(
  call: KeylessCall,
  context: OperationContext,
  [first, second]: readonly FoundSide[],
  { limit, spansOfTwo }: SearchDepth,
): Promise<Pick<Matches, 'coming' | 'past'>> {
  const others = second && [...second.teams, ...second.players];
  if (!first || others?.length === 0) return { coming: [], past: [] };
  const now = context.now();
  const names = others?.map(({ name }) => name);
  const mayMeet = ({ sport }: Found) => !others || others.some((other) => other.sport === sport);
  const isMeant = ({ name }: { readonly name: string }) => !names || names.some((other) => name.includes(other));
  const own = await Promise.all([
    ...first.teams
      .filter(mayMeet)
      .slice(0, MAX_WITH_EVENTS)
      .map(async ({ id }) => {
        const [coming, past] = await Promise.all([
          readUpcoming(call, id, now, limit, isMeant),
          readPast(call, context, id, { wanted: limit, spans: names ? spansOfTwo : 1, isWanted: isMeant }),
        ]);
        return [...past, ...coming].map((event) => {
          const isComing = coming.includes(event);
          return eventMatch(
            event.id,
            event.name,
            [leagueName(event.league), scoreText(event)],
            event.starts_at,
            !isComing,
          );
        });
      }),
    ...first.players
      .filter((player) => rulesOf(player.sport).entry === 'player' && mayMeet(player))
      .slice(0, MAX_WITH_EVENTS)
      .map(({ id, name }) => eventsOfPlayer(call, id, name, now)),
  ]);
  const all = distinct(own.flat()).filter(isMeant);
  const listed = (isPast: boolean) =>
    all
      .filter((event) => event.isPast === isPast)
      .sort((a, b) => (isPast ? -1 : 1) * (timeOf(a.startsAt) - timeOf(b.startsAt)))
      .slice(0, limit)
      .map(({ kind, to, name, about, startsAt }) => ({ kind, to, name, about, startsAt }));
  return { coming: listed(false), past: listed(true) };
}

type FoundEvent = Match & { readonly id: number; readonly startsAt: string; readonly isPast: boolean };

async function eventsOfPlayer(call: KeylessCall, id: number, name: string, now: number): Promise<FoundEvent[]> {
  const { data } = await call(getPlayerEvents, { id, limit: 100 });
  return data.map(({ event_id, opponent, competition, starts_at }) =>
    eventMatch(event_id, `${name} v. ${opponent.name}`, [competition], starts_at, timeOf(starts_at) < now - DAY),
  );
}

const eventMatch = (
  id: number,
  name: string,
  about: readonly string[],
  startsAt: string,
  isPast: boolean,
): FoundEvent => ({
  kind: 'event',
  id,
  to: `/events/${id}`,
  name,
  about: about.filter(Boolean).join(' · '),
  startsAt,
  isPast,
});
