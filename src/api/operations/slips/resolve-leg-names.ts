import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';
import { findLeague } from '../../../domain/catalogue/catalogue.ts';
import type { PlayerMatchForm } from '../../../text/name-matching/match-player-name.ts';
import { isFullPlayerMatch } from '../../../text/name-matching/match-player-name.ts';
import { isFullTeamMatch } from '../../../text/name-matching/match-team-name.ts';
import { NO_PLAYER, type PlayerResolve, type TeamResolve } from '../../../text/slips/slip-leg.ts';
import { findPlayers, type PlayerCandidate } from '../resolving/find-players.ts';
import { findTeams, type TeamCandidate } from '../resolving/find-teams.ts';
import { MAX_CANDIDATES } from '../resolving/resolve-parameters.ts';
import { renderPlayerCandidate } from '../resolving/resolve-player.ts';
import { renderTeamCandidate } from '../resolving/resolve-team.ts';
import type { BindingContext, BindingScope } from './binding-context.ts';
import { type LegSubject, sideIndexOf } from './find-leg-events.ts';

/** A side that a text may mean. Its names are unique within a league, or within tennis. */
interface MeantSide extends LegSubject {
  readonly league: string;
  readonly sport: string;
}

/** The possible meanings of a text for a side. */
interface SideText {
  readonly text: string;
  readonly meant: readonly MeantSide[];
  readonly teams: readonly TeamCandidate[];
  readonly players: readonly PlayerCandidate[];
}

/** The resolved sides of a leg. */
interface ResolvedSides {
  /** In the order of the texts; empty unless all are resolved. */
  readonly sides: readonly MeantSide[];
  /** For the first text, or for the unresolved one. */
  readonly team_resolve: TeamResolve | null;
  readonly resolve: PlayerResolve;
  readonly message: string | null;
}

/** Resolves the texts for the sides of one leg. Several texts are resolved together within one league. */
export async function resolveSides(
  texts: readonly string[],
  scope: BindingScope,
  reading: BindingContext,
): Promise<ResolvedSides> {
  if (texts.length === 0) return { sides: [], team_resolve: null, resolve: NO_PLAYER, message: null };
  const read = await Promise.all(texts.map((text) => readSide(text, scope, reading)));
  const together = read.length > 1 ? withinOneLeague(read) : [];
  const [only, ...more] = together;
  if (only && more.length === 0) return resolved(only, read);
  const unresolvedText = read.find(({ meant }) => meant.length !== 1) ?? (more.length > 0 ? read[0] : undefined);
  if (unresolvedText) return unresolved(unresolvedText, scope);
  const sides = read.map(({ meant }) => meant[0]!);
  if (new Set(sides.map(({ sport }) => sport)).size > 1 || !areDifferent(sides)) {
    return { ...resolved(sides, read), sides: [], message: 'Those who are named cannot meet.' };
  }
  return resolved(sides, read);
}

/** All combinations in which the texts mean different sides of one league, one side for each text. */
function withinOneLeague(read: readonly SideText[]): readonly (readonly MeantSide[])[] {
  const leagues = new Set(read[0]!.meant.map(({ league }) => league));
  return [...leagues].flatMap((league) => {
    let combinations: MeantSide[][] = [[]];
    for (const { meant } of read) {
      const own = meant.filter((one) => one.league === league);
      // The result only depends on whether there are none, one or several, so the number can be bounded.
      combinations = combinations.flatMap((combination) => own.map((one) => [...combination, one])).slice(0, 100);
    }
    return combinations.filter(areDifferent);
  });
}

/** The first two are the sides; a third repeats one of them. */
const areDifferent = (sides: readonly MeantSide[]): boolean =>
  new Set(sides.map(({ id }) => id)).size === Math.min(2, sides.length);

async function readSide(text: string, scope: BindingScope, { context }: BindingContext): Promise<SideText> {
  const { sports } = scope;
  const [sport] = sports;
  const known = sports.length === 1 ? { sport: sport! } : {};
  const isIn = (entry: { readonly sport: string }) => (sports as readonly string[]).includes(entry.sport);
  const isOfEvent = (side: LegSubject) => scope.event === null || sideIndexOf(scope.event, side) >= 0;
  const league = findLeague(scope.league ?? '')?.league_type === 'team_league' ? { league: scope.league } : {};
  const hasTeams = sports.some((one) => one !== 'tennis');
  const [foundTeams, foundPlayers] = await Promise.all([
    hasTeams ? findTeams(context, text, { ...known, ...league }) : [],
    sports.includes('tennis') ? findPlayers(context, text, { sport: 'tennis' }) : [],
  ]);
  const teams = foundTeams.filter(({ entry }) => isIn(entry) && isOfEvent({ kind: 'team', id: entry.id }));
  const players = foundPlayers.filter(({ entry }) => isOfEvent({ kind: 'player', id: entry.id }));
  const isNamed = ({ form }: TeamCandidate) =>
    form !== null && (isFullTeamMatch(form) || form === 'affix' || sports.length === 1);
  return {
    text,
    teams,
    players,
    meant: [
      ...teams.filter(isNamed).map(({ entry }) => ({ ...entry, kind: 'team' as const })),
      ...players
        .filter(({ form }) => form !== null && isFullPlayerMatch(form))
        .map(({ entry }) => ({ id: entry.id, sport: entry.sport, league: 'tennis', kind: 'player' as const })),
    ],
  };
}

function resolved(sides: readonly MeantSide[], read: readonly SideText[]): ResolvedSides {
  const [side] = sides;
  const [first] = read;
  if (side?.kind === 'player') {
    const player = first!.players.find(({ entry }) => entry.id === side.id)!;
    return { sides, team_resolve: null, resolve: toResolvedPlayer(player), message: null };
  }
  const team = first!.teams.find(({ entry }) => entry.id === side!.id)!.entry;
  const team_resolve = { status: 'resolved', team_id: team.id, display_name: team.facts.name, candidates: [] } as const;
  return { sides, team_resolve, resolve: NO_PLAYER, message: null };
}

function unresolved({ text, meant, teams, players }: SideText, { sports }: BindingScope): ResolvedSides {
  const none = { sides: [], resolve: NO_PLAYER };
  if (teams.length === 0 && players.length > 0) {
    const message = meant.length > 0 ? `${quoteText(text)} may be several players.` : 'Tennis needs full names.';
    return { ...none, team_resolve: null, resolve: toUnresolvedPlayer(players), message };
  }
  const status = teams.length === 0 ? 'not_found' : 'ambiguous';
  const candidates = teams.slice(0, MAX_CANDIDATES).map(renderTeamCandidate);
  const team_resolve = { status, team_id: null, display_name: null, candidates } as const;
  if (teams.length === 0) return { ...none, team_resolve, message: `No team ${quoteText(text)} is known.` };
  const why =
    meant.length > 0 || sports.length === 1
      ? 'may be several teams'
      : 'is no whole name of a team: a place or a part of a name needs a sport';
  return { ...none, team_resolve, message: `${quoteText(text)} ${why}.` };
}

export const quoteText = (text: string): string => `“${text}”`;

export const toResolvedPlayer = ({ entry }: PlayerCandidate): PlayerResolve => ({
  status: 'resolved',
  player_id: entry.id,
  display_name: entry.facts.full_name,
  candidates: [],
});

export const toUnresolvedPlayer = (players: readonly PlayerCandidate[]): PlayerResolve => ({
  ...NO_PLAYER,
  status: players.length === 0 ? 'not_found' : 'ambiguous',
  candidates: players.slice(0, MAX_CANDIDATES).map(renderPlayerCandidate),
});

const PARTIAL: ReadonlySet<PlayerMatchForm> = new Set(['initial', 'last_name']);
export const isPartialName = ({ form }: PlayerCandidate): boolean => form !== null && PARTIAL.has(form);
export const isWholeName = ({ form }: PlayerCandidate): boolean => form !== null && isFullPlayerMatch(form);
export const filterBySports = (
  players: readonly PlayerCandidate[],
  sports: readonly SportSlug[],
): readonly PlayerCandidate[] => players.filter(({ entry }) => (sports as readonly string[]).includes(entry.sport));
