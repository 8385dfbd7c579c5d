import { decimalOdds } from '../../../intelligence/prices/odds-arithmetic.ts';
import { createBatchingReader } from '../../../read-models/store/batching-reader.ts';
import { namedCompetition } from '../../../text/query/named-competition.ts';
import { type TextBet, toTextInput } from '../../../text/slips/grammar/parse-slip.ts';
import type { ParsedBet } from '../../../text/slips/grammar/parsed-bet.ts';
import type { LegReading } from '../../../text/slips/grammar/read-leg.ts';
import type { BoundLeg, SlipClues } from '../../../text/slips/slip-leg.ts';
import { grantedSports, grantsSport } from '../../calls/scopes.ts';
import { findTeams } from '../resolving/find-teams.ts';
import { isGiven } from '../shared/parameters.ts';
import { bindGameBet } from './bind-game-bet.ts';
import { bindProp } from './bind-prop.ts';
import type { BindingContext, BindingScope } from './binding-context.ts';
import { unboundBet } from './binding-context.ts';
import { readKnownEvent } from './find-leg-events.ts';

/**
 * Resolves the names and events of the bets in a text, in the same order. Entities outside the caller's sports count as
 * unknown. Never throws because of the text: an unresolved bet gives a leg whose `leg` is null.
 */
export async function bindTextBets(
  bets: readonly TextBet[],
  clues: SlipClues,
  reading: BindingContext,
): Promise<readonly BoundLeg[]> {
  if (bets.length === 0) return [];
  const scope = await readClueScope(clues, reading);
  const store = createBatchingReader(reading.context.store);
  const gathering = { ...reading, context: { ...reading.context, store } };
  return Promise.all(bets.map((bet) => bindTextBet(bet, scope, gathering)));
}

/** Exactly one reading of a text must lead to a bet. */
async function bindTextBet(
  { input, reading }: TextBet,
  scope: BindingScope,
  within: BindingContext,
): Promise<BoundLeg> {
  const { bets, days, problem } = reading;
  const trying = bets.flatMap(splitMatches).map(async (bet): Promise<BoundLeg> => {
    const bind = bet.kind === 'prop' ? bindProp : bindGameBet;
    const bound =
      bet.unsettleableReason === null ? await bind(bet, days, scope, within) : unboundBet(bet.unsettleableReason);
    const { leg } = bound;
    const textInput = toTextInput(input.text, reading, bet);
    const market_key = leg?.market_key ?? textInput.market_key;
    const read = { ...textInput, market_key, side: leg?.side ?? textInput.side };
    return { input: read, ...bound, ...priceOf(reading) };
  });
  const tried = await Promise.all(trying);
  const [one, ...others] = tried.filter(({ leg }) => leg !== null);
  if (one && others.length === 0) return one;
  if (one) return { input: { ...input }, ...unboundBet('The text can be read in more than one way.') };
  // The attempt that got furthest explains best what is missing.
  const nearest = tried.find(({ event_resolve }) => event_resolve?.candidates.length) ?? tried.find(isNamed);
  return nearest ?? tried[0] ?? { input: { ...input }, ...unboundBet(problem ?? 'The text is no leg.') };
}

/** Decimal odds are more than 1. */
export function textPriceOf({ price, isDecimalPrice }: LegReading): number | undefined {
  if (price === null || (isDecimalPrice && price <= 1)) return undefined;
  return isDecimalPrice ? price : decimalOdds(price);
}

function priceOf(reading: LegReading): { readonly price?: number } {
  const price = textPriceOf(reading);
  return price === undefined ? {} : { price };
}

/** `A-B-C` can be split in several places. */
const splitMatches = (bet: ParsedBet): readonly ParsedBet[] =>
  bet.match ? bet.match.map((pair) => ({ ...bet, match: [pair] })) : [bet];

const isNamed = ({ resolve, team_resolve }: BoundLeg): boolean =>
  [resolve.status, team_resolve?.status].some((status) => status === 'resolved' || status === 'ambiguous');

/** The scope that the clues allow, within the caller's sports. An unknown clue leaves nothing. */
async function readClueScope(
  { sport, league, event_id, team_id, team_text }: SlipClues,
  reading: BindingContext,
): Promise<BindingScope> {
  const { principal } = reading.context;
  const event = isGiven(event_id) ? await readKnownEvent(reading, event_id) : undefined;
  const competitions = [
    ...(isGiven(sport) ? [namedCompetition(sport, 'sport')] : []),
    ...(isGiven(league) ? [namedCompetition(league, 'league')] : []),
  ];
  const limits = [
    ...competitions.map((named) => named?.sports ?? []),
    ...(isGiven(event_id) ? [event && grantsSport(principal, event.sport) ? [event.sport] : []] : []),
  ];
  const sports = grantedSports(principal).filter((one) => limits.every((limit) => limit.includes(one)));
  const leagues = [...new Set(competitions.flatMap((named) => named?.league ?? []))];
  const meant = isGiven(team_text)
    ? (await findTeams(reading.context, team_text, {})).filter(({ entry }) => sports.some((one) => one === entry.sport))
    : [];
  const sets = [
    ...(isGiven(team_id) ? [[team_id]] : []),
    ...(isGiven(team_text) ? [meant.map(({ entry }) => entry.id)] : []),
  ];
  return {
    // Two leagues have no event together.
    sports: leagues.length > 1 ? [] : sports,
    league: leagues[0] ?? null,
    teamIds: sets.length === 0 ? null : sets[0]!.filter((id) => sets.every((set) => set.includes(id))),
    event: event ?? null,
  };
}
