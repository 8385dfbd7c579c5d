import { z } from 'zod';
import { type MainQuotesDocument, mainQuotes } from '../../../../projections/odds/main-quotes.ts';
import { isSoccer, rolesOf } from '../../../domain/catalogue/sport-rules.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import type { OutcomeDepth } from '../../../domain/odds/book-depth.ts';
import { type PricedOutcome, WATCHED_MARKETS, type WatchedMarket } from '../../../domain/odds/bookmaker-prices.ts';
import { ownValue } from '../../../domain/primitives/own-properties.ts';
import { formatTime } from '../../../domain/primitives/time.ts';
import { type EventSides, hasPlaceholder } from '../../../domain/side-profiles.ts';
import { marketsCloseAt } from '../../../domain/sports-events/sports-event.ts';
import type { BookList } from '../../../intelligence/prices/book-list.ts';
import type { PriceSummary, SeenPrice } from '../../../intelligence/prices/price-summary.ts';
import { isFresh, type MarketSide, outcomesOf } from '../../../intelligence/prices/quotes.ts';
import type { AsOf } from '../../../read-models/as-of/as-of.ts';
import { parseBookmakers } from '../../../read-models/rendering/bookmakers.ts';
import { id, suspect, time } from '../../../read-models/rendering/event-schemas.ts';
import {
  compareOutcomes,
  MARKET_LABELS,
  outcomeName,
  SHOWN_MARKETS,
  SUSPECT,
} from '../../../read-models/rendering/render-odds.ts';
import type { Operation, OperationContext } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import type { OwnBooks } from '../../calls/operation/with-my-books.ts';
import { booksParameter, maxAgeParameter, readBookList } from '../shared/book-list-parameters.ts';
import { asOfParameters, bookmakerParameter, DEFAULT_BOOKMAKER, eventPath, readAsOf } from '../shared/parameters.ts';
import { readDocument, readEvent } from '../shared/read-documents.ts';
import { checkEventRead } from '../shared/unpaid-checks.ts';
import { costOfAvailableBookmakers } from './get-odds.ts';
import { summaryAndClose } from './summary-and-close.ts';

const path = eventPath();
const query = z.object({
  // Without a default: where a list of books is in force, a call that names no bookmaker asks for these.
  bookmaker: bookmakerParameter
    .unwrap()
    .optional()
    .meta({ ...bookmakerParameter.meta(), default: DEFAULT_BOOKMAKER }),
  books: booksParameter,
  max_age: maxAgeParameter(' Counts under a list of books alone, for `current`; 900 when left out.').optional(),
  ...asOfParameters,
});
type Query = z.infer<typeof query> & OwnBooks;

/** What decides the cost: `books` counts where it is a list that the call itself names. */
const pricedBookmakers = ({ bookmaker, books = 'all' }: Query): string =>
  bookmaker ?? (parseBookmakers(books).slugs ? books : DEFAULT_BOOKMAKER);

const seenPrice = z.object({ price: z.int(), point: z.number().nullable(), at: time }).meta({ id: 'SeenPrice' });
const seen = seenPrice.nullable();
const current = seenPrice.extend({ suspect }).meta({ id: 'PresentPrice' }).nullable();
const key = z.enum(WATCHED_MARKETS);
const label = z.enum(MARKET_LABELS);
const summarized = z.object({ outcome: z.string(), open: seen, close: seen, high: seen, low: seen, current });
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
          label,
          outcomes: z.array(summarized),
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

const table = answerTable(
  z.object({
    event_id: id,
    bookmaker: z.string(),
    market_key: key,
    market_label: label,
    ...summarized.shape,
    current: seen,
    consensus: z.object({
      line: z.number().nullable().meta({ description: 'The main line that the fair probabilities are of.' }),
      open: probability.meta({ description: 'Fair probability of the outcome at the main line: the first known one.' }),
      close: probability.meta({ description: 'Fair probability of the outcome at the main line, at the start.' }),
    }),
    current_suspect: suspect,
  }),
  ({ event_id, bookmakers, consensus }: Output) => {
    const marketOf = (market: string) => consensus.find((one) => one.key === market);
    return bookmakers.flatMap(({ bookmaker, markets }) =>
      markets.flatMap((market) =>
        market.outcomes.map((one) => {
          const fair = marketOf(market.key);
          const { open = null, close = null } = fair?.outcomes.find(({ outcome }) => outcome === one.outcome) ?? {};
          return {
            event_id,
            bookmaker,
            market_key: market.key,
            market_label: market.label,
            ...one,
            consensus: { line: fair?.line ?? null, open, close },
            current_suspect: one.current?.suspect,
          };
        }),
      ),
    );
  },
);

export const getOddsSummary: Operation<z.infer<typeof path>, Query, unknown, Output> = {
  name: 'get_odds_summary',
  method: 'GET',
  path: '/v1/events/{id}/odds/summary',
  tag: 'Odds',
  summary: 'Opening, closing, highest, lowest and present prices of one event, with the fair closing line.',
  hint: 'Each movement between them is in `get_odds_history`.',
  input: { path, query },
  output,
  table,
  errors: ['bad_request', 'not_found', 'sport_scope_denied'],
  cost: {
    description: costOfAvailableBookmakers.description,
    creditsFor: (input, output) => costOfAvailableBookmakers.creditsFor({ bookmaker: pricedBookmakers(input) }, output),
    bounds: (input) => costOfAvailableBookmakers.bounds({ bookmaker: pricedBookmakers(input) }),
  },
  takesBooks: true,
  checkUnpaid: checkEventRead,
  async run(input, context) {
    const asOf = readAsOf(input, context.now);
    const event = await readEvent(context, input.id, asOf);
    const now = asOf?.at ?? context.now();
    const none: Output = { event_id: input.id, available: false, bookmakers: [], consensus: [] };
    if (hasPlaceholder(event)) return none;
    const closesAt = marketsCloseAt(event.event);
    const list = readBookList(input);
    const isCurrent = list && (await createCurrentCheck(context, input.id, { asOf, list, now }));
    return context.prices.read(
      input.id,
      asOf,
      summaryAndClose(event.sport, closesAt, context.bookmakers.weightsFor(asOf)),
      (fold) => {
        const isOver = now >= closesAt;
        const { includes } = parseBookmakers(input.bookmaker ?? (list ? 'all' : DEFAULT_BOOKMAKER));
        const bookmakers = [...fold.summary.books.keys()]
          .filter((bookmaker) => includes(bookmaker) && (list?.books.has(bookmaker) ?? true))
          .sort(context.bookmakers.compare)
          .map((bookmaker) => ({
            bookmaker,
            markets: marketsOf(event, fold.summary, bookmaker, { isOver, isCurrent }),
          }))
          .filter(({ markets }) => markets.length > 0);
        if (bookmakers.length === 0) return none;
        const consensus = fold.closing.lines(now).map(({ market, line, open, close }) => ({
          key: market,
          line,
          outcomes: outcomesOf(market, isSoccer(event.sport)).map((side, outcome) => ({
            outcome: outcomeName(event, outcomeOf(event.sport, side)),
            open: open?.[outcome] ?? null,
            close: close?.[outcome] ?? null,
          })),
        }));
        return { event_id: input.id, available: true, bookmakers, consensus };
      },
    );
  },
};

type IsCurrent = (bookmaker: string, market: WatchedMarket, outcome: OutcomeDepth['outcome']) => boolean;

/** Whether a price of a listed book is as young as the list wants it at a moment, in milliseconds. */
async function createCurrentCheck(
  context: OperationContext,
  id: number,
  { asOf, list, now }: { readonly asOf: AsOf | undefined; readonly list: BookList; readonly now: number },
): Promise<IsCurrent> {
  const quotes = await readDocument<MainQuotesDocument>(context, mainQuotes, String(id), asOf);
  return (bookmaker, market, outcome) => {
    const { namedAt, depth } = (quotes && ownValue(quotes.books, bookmaker)) ?? {};
    const at = namedAt?.[market];
    if (at === undefined) return false;
    // A ladder that comes alone has a time of its own, whatever has named its price since.
    const own = depth && ownValue(depth, market)?.outcomes.find((one) => one.outcome === outcome)?.at;
    return isFresh(own === undefined ? at : Math.min(at, timeOf(own)), now, list.maxAge);
  };
}

function marketsOf(
  event: EventSides & { readonly sport: string },
  { books }: PriceSummary,
  bookmaker: string,
  { isOver, isCurrent }: { readonly isOver: boolean; readonly isCurrent: IsCurrent | undefined },
) {
  const { stories } = books.get(bookmaker)!;
  return SHOWN_MARKETS.flatMap(({ key: market, label }) => {
    const outcomes = [...stories[market]]
      .sort(([a], [b]) => compareOutcomes(a, b))
      .map(([outcome, { open, close, high, low, current, isSuspect }]) => ({
        outcome: outcomeName(event, outcome),
        open: shown(open),
        close: isOver ? shown(close) : null,
        high: shown(high),
        low: shown(low),
        current: isCurrent?.(bookmaker, market, outcome) === false ? null : shown(current, isSuspect),
      }));
    return outcomes.length > 0 ? [{ key: market, label, outcomes }] : [];
  });
}

const shown = (price: SeenPrice | null, isSuspect = false) =>
  price && { ...price, at: formatTime(price.at), ...(isSuspect ? SUSPECT : undefined) };

/** The name of a side in this sport's messages. */
function outcomeOf(sport: string, side: MarketSide): PricedOutcome['outcome'] {
  const [first, second] = rolesOf(sport);
  return side === 'home' ? first : side === 'away' ? second : side;
}
