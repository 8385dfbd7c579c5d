import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import type { SportSlug } from '../../../domain/catalogue/catalogue.ts';
import { teamIdsOf } from '../../../domain/event-players.ts';
import type { NamedDay } from '../../../text/slips/grammar/day-words.ts';
import type { ParsedBet } from '../../../text/slips/grammar/parsed-bet.ts';
import { statOfPlayer } from '../../../text/slips/grammar/stat-words.ts';
import { playersOfEvent } from '../resolving/event-sides.ts';
import { findPlayers, type PlayerCandidate } from '../resolving/find-players.ts';
import type { BindingContext, BoundBet } from './binding-context.ts';
import { type BindingScope, fitsTeams, narrowScope } from './binding-context.ts';
import { decideEvent, eventNotFound, findLegEvents, type LegSubject, sideIndexOf } from './find-leg-events.ts';
import {
  filterBySports,
  isPartialName,
  isWholeName,
  quoteText,
  resolveSides,
  toResolvedPlayer,
  toUnresolvedPlayer,
} from './resolve-leg-names.ts';

/** Finds the player and the event of a bet on a player's statistic. */
export async function bindProp(
  bet: ParsedBet,
  days: readonly NamedDay[],
  clued: BindingScope,
  reading: BindingContext,
): Promise<BoundBet> {
  const scope = narrowScope(clued, bet.sports);
  const found = { line: bet.line, ...(bet.side === null ? {} : { side: bet.side }) };
  const { player, candidates, message: why } = await findBetPlayer(bet, days, scope, reading);
  if (!player) {
    const resolve = toUnresolvedPlayer(candidates);
    return { leg: null, message: why, found, resolve, team_resolve: null, event_resolve: eventNotFound(why) };
  }
  const { id, facts } = player.entry;
  const sport = player.entry.sport as SportSlug;
  const market_key = statOfPlayer(bet.stats!, sport, facts.position ?? null)!;
  const resolved = { found: { ...found, market_key, player_id: id }, resolve: toResolvedPlayer(player) };
  const named = await resolveOpponents(bet, narrowScope(scope, [sport]), reading);
  if (named.message !== null) {
    const { message, team_resolve } = named;
    return { leg: null, message, ...resolved, team_resolve, event_resolve: eventNotFound(message) };
  }
  const events = await findEventsWithPlayer(player, named.sides, days, narrowScope(scope, [sport]), reading);
  const event_resolve = decideEvent(events, days.length > 0, reading.moment);
  const [event] = events;
  if (event_resolve.status !== 'resolved' || !event) {
    return { leg: null, message: event_resolve.message, ...resolved, team_resolve: null, event_resolve };
  }
  const leg = {
    event_id: event.id,
    market_key,
    side: bet.side!,
    line: bet.line,
    player_id: id,
    team_id: null,
  };
  return { leg, message: null, ...resolved, found: leg, team_resolve: null, event_resolve };
}

interface FoundPlayer {
  readonly player: PlayerCandidate | null;
  readonly candidates: readonly PlayerCandidate[];
  readonly message: string;
}

/**
 * The only player in scope with this full name. Otherwise, with a date or an event, the only player of those events
 * with this initial or last name.
 */
async function findBetPlayer(
  { player, team }: ParsedBet,
  days: readonly NamedDay[],
  scope: BindingScope,
  reading: BindingContext,
): Promise<FoundPlayer> {
  const { context } = reading;
  const text = player!;
  const clues = {
    ...(scope.sports.length === 1 ? { sport: scope.sports[0]! } : {}),
    ...(team === null ? {} : { team_text: team }),
    ...(scope.event === null ? {} : { event_id: scope.event.id }),
  };
  const isOfClue = ({ entry }: PlayerCandidate) => fitsTeams(scope, (id) => id === entry.facts.team_id);
  const inScope = (players: readonly PlayerCandidate[]) => filterBySports(players, scope.sports).filter(isOfClue);
  const all = inScope(await findPlayers(context, text, clues));
  const fullNames = all.filter(isWholeName);
  if (fullNames.length === 1) return { player: fullNames[0]!, candidates: all, message: '' };
  const none = (message: string, candidates = all): FoundPlayer => ({ player: null, candidates, message });
  if (fullNames.length > 1) return none(`${quoteText(text)} may be several players: name the team in brackets.`);
  if (all.length === 0) return none(`No player ${quoteText(text)} is known${team === null ? '' : ' of that team'}.`);
  if (!all.some(isPartialName)) return none(`${quoteText(text)} is no whole name of a player.`);
  if (days.length === 0 && scope.event === null)
    return none(`${quoteText(text)} is no whole name, which needs a date.`);
  const teamIds = (await findLegEvents([], days, scope, reading)).flatMap(({ sides }) => teamIdsOf(sides));
  const playing = [...new Set(teamIds)].filter((id) => id !== null);
  const there = inScope(await findPlayers(context, text, clues, { teamIds: playing }));
  const [only, ...others] = there;
  if (!only) return none(`Nobody called ${quoteText(text)} plays then.`);
  if (others.length > 0) return none(`${quoteText(text)} may be several players who play then.`, there);
  return isPartialName(only)
    ? { player: only, candidates: there, message: '' }
    : none(`${quoteText(text)} is no whole name.`);
}

interface Opponents {
  readonly sides: readonly LegSubject[];
  readonly team_resolve: BoundBet['team_resolve'];
  readonly message: string | null;
}

/** The teams that a prop names, beside the player's own. */
async function resolveOpponents(
  { opponent, match }: ParsedBet,
  scope: BindingScope,
  reading: BindingContext,
): Promise<Opponents> {
  const pair = match?.[0] ?? [];
  const texts = opponent === null ? pair : [opponent, ...pair];
  if (texts.length === 0) return { sides: [], team_resolve: null, message: null };
  return resolveSides(texts, scope, reading);
}

/** The events in which the player plays: with the current team, or named by the box score or lineup. */
async function findEventsWithPlayer(
  { entry: { id, facts } }: PlayerCandidate,
  named: readonly LegSubject[],
  days: readonly NamedDay[],
  scope: BindingScope,
  reading: BindingContext,
): Promise<readonly EventDocument[]> {
  const own: readonly LegSubject[] = facts.team_id === undefined ? [] : [{ kind: 'team', id: facts.team_id }];
  const sides = named.length > 0 ? named : own;
  if (sides.length === 0 && scope.event === null) return [];
  const events = await findLegEvents(sides, days, scope, reading);
  const matching: EventDocument[] = [];
  for (const event of events) {
    const plays = own.some((side) => sideIndexOf(event, side) >= 0);
    if (plays || (await playersOfEvent(reading.context, event.id)).playerIds.includes(id)) matching.push(event);
  }
  return matching;
}
