import { gatheringReader } from '../../../read-models/store/gathering-reader.ts';
import type { BoundLeg, SlipClues } from '../../../text/slips/leg.ts';
import type { Bet } from '../../../text/slips/text/bet.ts';
import { inputOf, type TextBet } from '../../../text/slips/text/slip-text.ts';
import { bindGameBet } from './bind-game-bet.ts';
import { bindProp } from './bind-prop.ts';
import { unbound } from './bound-bet.ts';
import { cluedScope } from './clued-scope.ts';
import type { SlipReading } from './slip-reading.ts';
import type { TextScope } from './text-scope.ts';

/**
 * Finds whom and which events the bets of a text mean, in the same order. What lies outside the caller's sports is not
 * found. Never throws for what a text says: a bet that cannot be bound is a leg without `leg`.
 */
export async function bindTextBets(
  bets: readonly TextBet[],
  clues: SlipClues,
  reading: SlipReading,
): Promise<readonly BoundLeg[]> {
  if (bets.length === 0) return [];
  const scope = await cluedScope(clues, reading);
  const store = gatheringReader(reading.context.store);
  const gathering = { ...reading, context: { ...reading.context, store } };
  return Promise.all(bets.map((bet) => bindTextBet(bet, scope, gathering)));
}

/** Of all ways to read a text exactly one must lead to a bet. */
async function bindTextBet({ input, reading }: TextBet, scope: TextScope, within: SlipReading): Promise<BoundLeg> {
  const { bets, days, problem } = reading;
  const trying = bets.flatMap(waysOf).map(async (bet): Promise<BoundLeg> => {
    const bind = bet.kind === 'prop' ? bindProp : bindGameBet;
    const bound = bet.lacks === null ? await bind(bet, days, scope, within) : unbound(bet.lacks);
    const { leg } = bound;
    const said = inputOf(input.text, reading, bet);
    const market_key = leg?.market_key ?? said.market_key;
    return { input: { ...said, market_key, side: leg?.side ?? said.side }, ...bound };
  });
  const tried = await Promise.all(trying);
  const [one, ...others] = tried.filter(({ leg }) => leg !== null);
  if (one && others.length === 0) return one;
  if (one) return { input: { ...input }, ...unbound('The text can be read in more than one way.') };
  // Whichever got furthest says best what is missing.
  const nearest = tried.find(({ event_resolve }) => event_resolve?.candidates.length) ?? tried.find(isNamed);
  return nearest ?? tried[0] ?? { input: { ...input }, ...unbound(problem ?? 'The text is no leg.') };
}

/** `A-B-C` may be parted in several places. */
const waysOf = (bet: Bet): readonly Bet[] => (bet.match ? bet.match.map((pair) => ({ ...bet, match: [pair] })) : [bet]);

const isNamed = ({ resolve, team_resolve }: BoundLeg): boolean =>
  [resolve.status, team_resolve?.status].some((status) => status === 'resolved' || status === 'ambiguous');
