import type { Projection } from '../../domain/event-sourcing/projection.ts';
import type { WatchedMarket } from '../../domain/odds/bookmaker-prices.ts';
import { type DomainRecord, streams } from '../../domain/streams/domain-events.ts';
import { blendProbabilities } from '../../intelligence/forecasts/blend.ts';
import { type JudgeFair, lineForOutcome } from '../../intelligence/prices/bet-prices.ts';
import type { BetToken } from '../../intelligence/prices/bet-tokens.ts';
import type { BetIntelligence } from '../rendering/event-schemas.ts';

/** What the blend of a bet rests on, as it was last published; null: the weights were not counted. */
type PublishedBlend = {
  /** With its sign for the outcome. */
  readonly line: number | null;
  /** Null: there was no forecast. */
  readonly forecast: number | null;
  readonly weight: number;
} | null;

/** By `bet_type`. */
export type PublishedBlends = Readonly<Record<string, PublishedBlend>>;

/** What the blends of an event's bets rest on: folded from its published intelligence alone. */
export const publishedBlends: Projection<PublishedBlends> = {
  name: 'published-blends',
  version: 1,
  types: ['IntelligencePublished'],
  key: ({ data }) => String(data.eventId),
  apply(document, untyped) {
    const { bets } = (untyped as Extract<DomainRecord, { type: 'IntelligencePublished' }>).data;
    const changed = (bets as unknown as readonly BetIntelligence[]).map(
      (bet) => [bet.bet_type, readBlend(bet)] as const,
    );
    // A new object: who has the one before goes on reading it.
    return { ...document, ...Object.fromEntries(changed) };
  },
  fields: {},
  indexes: [],
  streams: (key) => [streams.intelligence(key)],
};

/** Records from before there were blends have none. */
function readBlend({
  market,
  probability,
  blend,
}: Omit<BetIntelligence, 'blend'> & Partial<BetIntelligence>): PublishedBlend {
  return blend ? { line: market.line, forecast: probability, weight: blend.weight } : null;
}

/**
 * Judges offers of a market by the blends of its bets, from the forecasts and weights that were last published. No offer
 * is judged while there are none. Until a new main line is published, its fair price has no forecast beside it.
 */
export function judgeByPublished(
  published: PublishedBlends | undefined,
  market: WatchedMarket,
  tokens: readonly BetToken[],
): JudgeFair {
  const blends = tokens.map(({ bet_type }) => published?.[bet_type] ?? null);
  return (fair, line) => {
    if (blends.includes(null)) return null;
    const forecasts = blends.flatMap((blend, outcome) =>
      blend!.forecast !== null && blend!.line === lineForOutcome(market, outcome, line) ? [blend!.forecast] : [],
    );
    return forecasts.length < fair.length ? fair : blendProbabilities(fair, forecasts, blends[0]!.weight);
  };
}
