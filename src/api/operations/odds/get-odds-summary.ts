import { z } from 'zod';
import type { PriceHistory } from '../../../../projections/odds/price-history.ts';
import { isSoccer, rolesOf } from '../../../domain/catalogue/sport-rules.ts';
import type { PricedOutcome } from '../../../domain/odds/bookmaker-prices.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import { hasPlaceholder } from '../../../domain/side-profiles.ts';
import { marketsCloseAt } from '../../../domain/sports-events/sports-event.ts';
import { ClosingLines } from '../../../intelligence/prices/closing-lines.ts';
import { PriceSummary, type SeenPrice } from '../../../intelligence/prices/price-summary.ts';
import { type MarketSide, outcomesOf } from '../../../intelligence/prices/quotes.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { parseBookmakers } from '../../../read-models/rendering/bookmakers.ts';
import { id, time } from '../../../read-models/rendering/event-schemas.ts';
import { compareOutcomes, MARKETS, outcomeName } from '../../../read-models/rendering/render-odds.ts';
import type { Operation, OperationContext } from '../../calls/operation/operation.ts';
import { asOfParameters, bookmakerParameter, pathId, readAsOf } from '../shared/parameters.ts';
import { readEvent } from '../shared/read-documents.ts';
import { readReportedPrices, sortReportedPrices } from '../shared/read-reported-prices.ts';
import { checkEventRead } from '../shared/unpaid-checks.ts';
import { costOfAvailableBookmakers } from './get-odds.ts';

const path = pathId('event');
const query = z.object({ bookmaker: bookmakerParameter, ...asOfParameters });

const seen = z.object({ price: z.int(), point: z.number().nullable(), at: time }).meta({ id: 'SeenPrice' }).nullable();
const key = z.enum(['h2h', 'spreads', 'totals']);
const probability = z.number().nullable();
const output = z.object({
  event_id: id,
  available: z.boolean(),
  bookmakers: z.array(
    z.object({
      bookmaker: z.string(),
      markets: z.array(
        z.object({
          key,
          label: z.enum(['moneyline', 'spread', 'totals']),
          outcomes: z.array(
            z.object({ outcome: z.string(), open: seen, close: seen, high: seen, low: seen, current: seen }),
          ),
        }),
      ),
    }),
  ),
  consensus: z
    .array(
      z.object({
        key,
        line: z.number().nullable(),
        outcomes: z.array(z.object({ outcome: z.string(), open: probability, close: probability })),
      }),
    )
    .meta({ description: 'Fair probabilities of the main line: the first that were known, and those at the start.' }),
});
type Output = z.infer<typeof output>;

export const getOddsSummary: Operation<z.infer<typeof path>, z.infer<typeof query>, unknown, Output> = {
  name: 'get_odds_summary',
  method: 'GET',
  path: '/v1/events/{id}/odds/summary',
  tag: 'Odds',
  summary: 'Opening, closing, highest, lowest and present prices of one event, with the fair closing line.',
  hint: 'Each movement between them is in `get_odds_history`.',
  input: { path, query },
  output,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: costOfAvailableBookmakers,
  checkUnpaid: checkEventRead,
  async run(input, context) {
    const asOf = readAsOf(input, context.now);
    await readEvent(context, input.id, asOf);
    const now = asOf?.at ?? context.now();
    const none: Output = { event_id: input.id, available: false, bookmakers: [], consensus: [] };
    const history = await readReportedPrices(context, input.id, asOf);
    if (!history || hasPlaceholder(history)) return none;
    const { summary, closing } = await follow(history, context);
    const isOver = now >= marketsCloseAt(history.event);
    const { includes } = parseBookmakers(input.bookmaker);
    const bookmakers = [...summary.books.keys()]
      .filter(includes)
      .sort(context.bookmakers.compare)
      .map((bookmaker) => ({ bookmaker, markets: marketsOf(history, summary, bookmaker, isOver) }))
      .filter(({ markets }) => markets.length > 0);
    if (bookmakers.length === 0) return none;
    const consensus = closing.lines(now).map(({ market, line, open, close }) => ({
      key: market,
      line,
      outcomes: outcomesOf(market, isSoccer(history.sport)).map((side, outcome) => ({
        outcome: outcomeName(history, outcomeOf(history.sport, side)),
        open: open?.[outcome] ?? null,
        close: close?.[outcome] ?? null,
      })),
    }));
    return { event_id: input.id, available: true, bookmakers, consensus };
  },
};

/** Messages applied before yielding to the event loop. */
const YIELD_INTERVAL = 32;

async function follow(
  history: PriceHistory,
  { bookmakers }: Pick<OperationContext, 'bookmakers'>,
): Promise<{ readonly summary: PriceSummary; readonly closing: ClosingLines }> {
  const closesAt = marketsCloseAt(history.event);
  const summary = new PriceSummary(closesAt);
  const options = { closesAt, hasDraw: isSoccer(history.sport), weightOf: bookmakers.sharpWeight };
  const closing = new ClosingLines(options);
  for (const [index, one] of sortReportedPrices(history).entries()) {
    summary.apply(one);
    closing.apply(one);
    if (index % YIELD_INTERVAL === 0) await yieldToEventLoop();
  }
  return { summary, closing };
}

function marketsOf(history: PriceHistory, { books }: PriceSummary, bookmaker: string, isOver: boolean) {
  const { stories } = books.get(bookmaker)!;
  return MARKETS.flatMap(({ key: market, label }) => {
    const outcomes = [...stories[market]]
      .sort(([a], [b]) => compareOutcomes(a, b))
      .map(([outcome, { open, close, high, low, current }]) => ({
        outcome: outcomeName(history, outcome),
        open: shown(open),
        close: isOver ? shown(close) : null,
        high: shown(high),
        low: shown(low),
        current: shown(current),
      }));
    return outcomes.length > 0 ? [{ key: market, label, outcomes }] : [];
  });
}

const shown = (price: SeenPrice | null) => price && { ...price, at: formatTime(price.at) };

/** The name of a side in this sport's messages. */
function outcomeOf(sport: string, side: MarketSide): PricedOutcome['outcome'] {
  const [first, second] = rolesOf(sport);
  return side === 'home' ? first : side === 'away' ? second : side;
}
