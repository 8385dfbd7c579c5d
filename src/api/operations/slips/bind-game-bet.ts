import { isSoccer } from '../../../domain/catalogue/sport-rules.ts';
import type { Leg, LegSide } from '../../../domain/grading/leg.ts';
import type { NamedDay } from '../../../text/slips/grammar/day-words.ts';
import { marketKeyOf } from '../../../text/slips/grammar/parse-slip.ts';
import type { ParsedBet } from '../../../text/slips/grammar/parsed-bet.ts';
import type { BindingContext } from './binding-context.ts';
import { type BindingScope, type BoundBet, fitsTeams, narrowScope, unboundBet } from './binding-context.ts';
import { decideEvent, eventNotFound, findLegEvents, sideIndexOf } from './find-leg-events.ts';
import { resolveSides } from './resolve-leg-names.ts';

const scopeOf = ({ scope }: ParsedBet): Pick<Leg, 'scope'> => (scope === null ? {} : { scope });

/** Finds the sides and the event of a bet on a game. */
export async function bindGameBet(
  bet: ParsedBet,
  days: readonly NamedDay[],
  clued: BindingScope,
  reading: BindingContext,
): Promise<BoundBet> {
  const scope = narrowScope(clued, bet.sports);
  const texts = textsOf(bet);
  const found = {
    market_key: marketKeyOf(bet)!,
    line: bet.line,
    ...(bet.side === null ? {} : { side: bet.side }),
    ...scopeOf(bet),
  };
  if (texts.length === 0 && scope.event === null) {
    return { ...unboundBet('A total needs both sides of its match, or the event as a clue.'), found };
  }
  const names = await resolveSides(texts, scope, reading);
  const { sides, message } = names;
  // A match names two sides: only the unresolved one is reported.
  const isOfTeam = bet.team !== null || message !== null;
  const resolved = {
    found,
    resolve: isOfTeam ? names.resolve : unboundBet('').resolve,
    team_resolve: isOfTeam ? names.team_resolve : null,
  };
  if (message !== null) return { leg: null, message, ...resolved, event_resolve: eventNotFound(message) };
  const isMeant = scope.teamIds === null || bet.team === null || scope.teamIds.includes(sides[0]!.id);
  const events = (isMeant ? await findLegEvents(sides, days, scope, reading) : []).filter((event) =>
    fitsTeams(scope, (id) => sideIndexOf(event, { kind: 'team', id }) >= 0),
  );
  const event_resolve = decideEvent(events, days.length > 0, reading.moment);
  const [event] = events;
  if (event_resolve.status !== 'resolved' || !event) {
    return { leg: null, message: event_resolve.message, ...resolved, event_resolve };
  }
  const side: LegSide = bet.side ?? (sideIndexOf(event, sides[0]!) === 0 ? 'home' : 'away');
  const leg: Leg = {
    event_id: event.id,
    // In soccer the moneyline is that of regular time.
    market_key: bet.kind === 'three_way' && isSoccer(event.sport) ? 'h2h' : found.market_key,
    side,
    line: bet.line,
    player_id: null,
    team_id: bet.kind === 'team_total' && sides[0]!.kind === 'team' ? sides[0]!.id : null,
    ...scopeOf(bet),
  };
  if (bet.kind === 'team_total' && leg.team_id === null) {
    return { leg: null, message: 'Tennis has no team totals.', ...resolved, found: leg, event_resolve };
  }
  return { leg, message: null, ...resolved, found: leg, event_resolve };
}

/** The texts that name its sides; the side of the bet comes first. */
function textsOf({ team, match, opponent }: ParsedBet): readonly string[] {
  const [pair = []] = match ?? [];
  if (team === null) return pair;
  return opponent === null ? [team, ...pair] : [team, opponent, ...pair];
}
