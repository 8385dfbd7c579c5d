import type { EventDocument } from '../../../projections/sports-events/events.ts';
import { rolesOf, rulesOf } from '../../domain/catalogue/sport-rules.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import type { EventSides } from '../../domain/side-profiles.ts';
import type { Bet } from '../../intelligence/event-bets.ts';
import { fairAmericanPrice } from '../../intelligence/prices/odds-arithmetic.ts';
import type { BetIntelligence, Intelligence } from './event-schemas.ts';
import type { ForecastWager } from './forecast-wager-schema.ts';
import { eventName, sideName } from './render-event.ts';

interface IntelligenceParts {
  /** All bets of the sport, in their order. */
  readonly bets: readonly Bet[];
  readonly wagers: readonly ForecastWager[];
  /** May be empty. */
  readonly rationale: readonly string[];
  /** Whether the forecasts are missing because the league is being learned. */
  readonly isLearning: boolean;
}

export function renderIntelligence(
  document: EventDocument,
  { bets, wagers, rationale, isLearning }: IntelligenceParts,
): Intelligence {
  const { id, sport, league } = document;
  const isAvailable = hasForecastOrFairPrice(bets);
  const shown = isAvailable ? bets : [];
  const changes = shown.flatMap(({ computedAt }) => computedAt ?? []);
  return {
    event_id: id,
    available: isAvailable,
    ...(isLearning ? { learning: true as const } : {}),
    sport,
    league,
    // Bets are ordered by market: moneyline, spread, total.
    odds_source: bets.find(({ market }) => market.book !== null)?.market.book ?? null,
    players: Object.fromEntries(rolesOf(sport).map((role, index) => [role, renderSideIds(document, index as 0 | 1)])),
    has_recommend: hasRecommendation(bets),
    intelligence_updated_at: changes.length > 0 ? formatTime(Math.max(...changes)) : null,
    match_overview: rationale.length > 0 ? `${[eventName(document), ...rationale].join('. ')}.` : null,
    rationale: rationale.length > 0 ? [...rationale] : null,
    bets: shown.map((bet) => renderBet(document, bet)),
    forecasts: [...wagers],
    matchup: null,
  };
}

const hasForecastOrFairPrice = (bets: readonly Bet[]): boolean =>
  bets.some(({ fair, forecast }) => fair !== null || forecast !== null);

/** Whether one of an event's bets is recommended; null if no forecast and no fair price are known. */
export const hasRecommendation = (bets: readonly Bet[]): boolean | null =>
  hasForecastOrFairPrice(bets) ? bets.some(({ tier }) => tier === 'strong' || tier === 'very_high') : null;

/** The sides and the sport of an event. */
type EventWithSides = EventSides & { readonly sport: string };

function renderSideIds(document: EventWithSides, index: 0 | 1) {
  const id = document.sides?.[index].id ?? null;
  const isTeam = rulesOf(document.sport).entry === 'team';
  return { name: sideName(document, index), player_id: isTeam ? null : id, team_id: isTeam ? id : null };
}

/** One bet, at its moment. */
export function renderBet(document: EventWithSides, bet: Bet): BetIntelligence {
  const { token, forecast, market, fair, edges_by_book, best, ev, blend, computedAt } = bet;
  const side = token.index === null ? null : renderSideIds(document, token.index);
  return {
    bet_type: token.bet_type,
    player_role: token.index === null ? null : rolesOf(document.sport)[token.index],
    player_name: side?.name ?? null,
    player_id: side?.player_id ?? null,
    team_id: side?.team_id ?? null,
    probability: forecast?.probability ?? null,
    interval: forecast ? [...forecast.interval] : null,
    fair_price: forecast ? fairAmericanPrice(forecast.probability) : null,
    market,
    edge: bet.edge,
    tier: bet.tier,
    fair: fair && { ...fair, books: [...fair.books] },
    edges_by_book,
    best,
    ev,
    narrative: renderNarrative(document, bet),
    computed_at: computedAt === null ? null : formatTime(computedAt),
    blend,
  };
}

/** The narrative of the bet that is its event's pick; null for all others. */
export function renderNarrative(header: EventSides, { token, narrative }: Pick<Bet, 'token' | 'narrative'>) {
  if (!narrative) return null;
  const { line, forecast, fair } = narrative;
  const name =
    token.index === null
      ? MATCH_SIDE_NAMES[token.side as keyof typeof MATCH_SIDE_NAMES]
      : sideName(header, token.index);
  const signed = line === null ? '' : ` ${token.index !== null && line > 0 ? '+' : ''}${line}`;
  const market = fair ? `, fair ${fair.percent}% from ${fair.books} ${fair.books === 1 ? 'book' : 'books'}` : '';
  return `${name}${signed}: forecast ${forecast}%${market}.`;
}

/** For bets on the match. */
const MATCH_SIDE_NAMES = { over: 'Over', under: 'Under', draw: 'Draw' } as const;
