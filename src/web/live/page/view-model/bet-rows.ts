import type { EventBet, EventIntelligence } from '../../answers/live-page-intelligence.ts';
import { capitalized } from './capitalized.ts';
import { shortName, sortOutcomes } from './event-sides.ts';
import { formatPoint } from './odds-format.ts';
import { MARKETS, type Market } from './story-model.ts';

/** One bet of an event as a row: its values, or why they are missing. */
export interface BetRow {
  readonly bet: EventBet;
  readonly market: Market;
  /** `home`, `draw`, `over`, ... */
  readonly outcome: string;
  readonly name: string;
  /** Formatted for people; null for a moneyline, and if nobody offers a line. */
  readonly line: string | null;
  readonly whyNoFair: string;
  readonly whyNoForecast: string;
  readonly whyNoEv: string;
  readonly whyNoEdge: string;
}

type Sides = readonly { readonly role: string; readonly name: string; readonly abbreviation: string | null }[];

/** All bets by market, in the display order of the sides. */
export function betRows(answer: Pick<EventIntelligence, 'bets' | 'learning'>, sides: Sides): BetRow[] {
  const { bets } = answer;
  const isForecast = hasForecast(answer);
  const rows = bets.map((bet): BetRow => {
    const [market, outcome] = marketAndOutcome(bet);
    const side = sides.find(({ role }) => role === outcome);
    const { line } = bet.market;
    return {
      bet,
      market,
      outcome,
      name: side ? shortName(side) : capitalized(outcome),
      line: line === null ? null : formatPoint(line, market),
      whyNoFair: whyNoFair(bet),
      whyNoForecast: isForecast ? whyNotOfMarket(bet, market) : whyNoForecastAtAll(answer),
      whyNoEv: whyNoEv(bet),
      whyNoEdge: whyNoEdge(bet),
    };
  });
  return MARKETS.flatMap((market) =>
    sortOutcomes(
      rows.filter((row) => row.market === market),
      sides,
    ),
  );
}

const hasForecast = ({ bets }: Pick<EventIntelligence, 'bets'>): boolean =>
  bets.some(({ probability }) => probability !== null);

function marketAndOutcome({ bet_type, player_role }: EventBet): readonly [market: Market, outcome: string] {
  const market = bet_type.startsWith('ML_') ? 'h2h' : bet_type.startsWith('SPREAD_') ? 'spreads' : 'totals';
  return [market, player_role ?? bet_type.replace('ML_', '').toLowerCase()];
}

const whyNoForecastAtAll = ({ learning }: Pick<EventIntelligence, 'learning'>): string =>
  learning
    ? 'No forecast yet: the server is still learning this league’s results.'
    : 'No forecast: fewer than 100 earlier results of this league are known.';

const whyNoFair = ({ market }: EventBet): string =>
  market.price === null
    ? 'No fair price: no bookmaker offers this bet.'
    : 'No fair price: no reference book has a fresh price, and fewer than three others do.';

const whyNotOfMarket = ({ market }: EventBet, of: Market): string =>
  of !== 'h2h' && market.line === null
    ? 'No forecast: there is no line to forecast.'
    : 'No forecast: the model says nothing of this market.';

function whyNoEv({ fair, edges_by_book }: EventBet): string {
  if (!fair) return 'No expected value: no fair price is known.';
  return edges_by_book ? 'No price is better than fair.' : 'No expected value: there is no other book to compare.';
}

/** The words for a cell of the table. */
const NOT_PUBLISHED = 'not published yet';

const whyNoEdge = ({ probability, market }: EventBet): string =>
  probability === null || market.price === null ? 'no price, or no forecast' : NOT_PUBLISHED;

/** Notes to the table: where the fair prices come from, and what is missing everywhere. */
export function betNotes(answer: EventIntelligence): string[] {
  const { bets, bookmakers } = answer;
  if (bets.length === 0) return [whyNothing(answer)];
  const books = [...new Set(bets.flatMap(({ fair }) => fair?.books ?? []))].map((slug) => bookmakers[slug] ?? slug);
  return [
    ...(books.length > 0 ? [`Fair: the market without its margin, from ${books.join(', ')}.`] : []),
    ...(hasForecast(answer)
      ? ['Forecast: this server’s own, which sees no price.', EDGE]
      : [whyNoForecastAtAll(answer)]),
    ...bets.flatMap(({ narrative }) => narrative ?? []),
  ];
}

const EDGE =
  'Edge: the forecast less what the best price stands for, in percentage points. A market’s edges are published once enough of its forecasts have proved right.';

function whyNothing(answer: EventIntelligence): string {
  const isOpen = Object.values(answer.players).some(({ player_id, team_id }) => player_id === null && team_id === null);
  if (isOpen) return 'No fair price and no forecast: a side is not known yet, or is a pair.';
  return `No fair price: no reference book has a fresh price, and fewer than three others do. ${whyNoForecastAtAll(answer)}`;
}
