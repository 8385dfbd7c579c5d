import { z } from 'zod';
import type { MainQuotesDocument } from '../../../../projections/odds/main-quotes.ts';
import { TOPICS } from '../../../domain/grading/rules/rule-set.ts';
import { booksWithoutRules, findRulesDifferences } from '../../../domain/grading/rules/rules-differ.ts';
import { MAIN_MARKETS, WATCHED_MARKETS, type WatchedMarket } from '../../../domain/odds/bookmaker-prices.ts';
import {
  type CrossedBets,
  findArbitrages,
  findMiddle,
  MAX_PROFIT,
  USUAL_QUOTE_AGE,
} from '../../../intelligence/prices/arbitrage.ts';
import { lineForOutcome } from '../../../intelligence/prices/bet-prices.ts';
import { BET_SIDES, betTokensOf } from '../../../intelligence/prices/bet-tokens.ts';
import { type BookList, countBetterElsewhere, quotesInList } from '../../../intelligence/prices/book-list.ts';
import { quotesForStakes, USUAL_STAKE } from '../../../intelligence/prices/stake-prices.ts';
import { id } from '../../../read-models/rendering/event-schemas.ts';
import { quotesOf, teamOf } from '../../../read-models/rendering/quotes-of-event.ts';
import { flatCost, type Operation } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import type { OwnBooks } from '../../calls/operation/with-my-books.ts';
import { booksParameter, clampedAge, maxAgeParameter, readBookList } from '../shared/book-list-parameters.ts';
import { limit, number, oneOf } from '../shared/parameters.ts';
import {
  BestRows,
  better_elsewhere,
  readUpcomingQuotes,
  requireKnownSport,
  requireThreeWay,
  scanParameters,
  size,
  stakeParameter,
  startOf,
} from './upcoming-quotes.ts';

const KINDS = ['arbitrage', 'middle', 'all'] as const;

const query = z.object({
  ...scanParameters,
  market: oneOf('Market; the main lines by default.', WATCHED_MARKETS).optional(),
  kind: oneOf('What to look for.', KINDS).default('arbitrage'),
  min_profit: number(
    'Least profit in percent, brought within 0 and 25. Without it middles that lose up to 10% when they miss are shown too.',
  ).optional(),
  books: booksParameter,
  max_age: maxAgeParameter().default(USUAL_QUOTE_AGE / 1000),
  stake: stakeParameter('Stake of all legs together').default(USUAL_STAKE),
  limit: limit({ max: 200, fallback: 50 }),
});
type Input = z.infer<typeof query> & OwnBooks;

const leg = z.object({
  side: z.enum(BET_SIDES),
  team: z.string().nullable(),
  bet_type: z.string(),
  book: z.string(),
  line: z.number().nullable(),
  price: z.int(),
  stake_pct: z.number(),
  quote_age_seconds: z.int(),
  size,
});
const { size: legSize, ...legColumns } = leg.shape;
const rulesDifference = z
  .object({ topic: z.enum(TOPICS) })
  .catchall(z.union([z.string(), z.number(), z.boolean()]).nullable());
const opportunity = z
  .object({
    event_id: id,
    kind: z.enum(['arbitrage', 'middle']),
    market: z.enum(WATCHED_MARKETS),
    profit_pct: z.number(),
    middle: z
      .array(z.number())
      .length(2)
      .nullable()
      .meta({ description: 'Open interval of totals, or of home’s margin, in which both bets win.' }),
    legs: z.array(leg),
    rules_differ: z.array(rulesDifference).meta({
      description:
        'Where the rules of the books would settle one ending differently, each with its rule; see docs/rules.md.',
    }),
    rules_unknown: z.array(z.string()).meta({
      description:
        'Books of the legs of whose rules of the sport nothing is known here: they may settle an ending differently.',
    }),
    better_elsewhere,
  })
  .meta({ id: 'ArbitrageOpportunity' });
const output = z.object({
  sport: z.string(),
  league: z.string().nullable(),
  market: z.enum(WATCHED_MARKETS).nullable(),
  kind: z.enum(KINDS),
  min_profit: z.number(),
  max_age: z.number(),
  opportunities: z.array(opportunity),
  total: z.int(),
});
type Opportunity = z.infer<typeof opportunity>;

const table = answerTable(
  z.object({
    sport: z.string(),
    event_id: id,
    opportunity: z.int(),
    opportunity_kind: opportunity.shape.kind,
    opportunity_market: opportunity.shape.market,
    opportunity_profit_pct: z.number(),
    opportunity_middle: opportunity.shape.middle,
    ...legColumns,
    opportunity_rules_differ: opportunity.shape.rules_differ,
    size: legSize,
    opportunity_rules_unknown: opportunity.shape.rules_unknown,
  }),
  ({ sport, opportunities }: z.infer<typeof output>) =>
    opportunities.flatMap(({ event_id, kind, market, profit_pct, middle, legs, rules_differ, rules_unknown }, index) =>
      legs.map((bet) => ({
        sport,
        event_id,
        opportunity: index + 1,
        opportunity_kind: kind,
        opportunity_market: market,
        opportunity_profit_pct: profit_pct,
        opportunity_middle: middle,
        ...bet,
        opportunity_rules_differ: rules_differ,
        opportunity_rules_unknown: rules_unknown,
      })),
    ),
);

export const scanArbitrage: Operation<unknown, Input, unknown, z.infer<typeof output>> = {
  name: 'scan_arbitrage',
  method: 'GET',
  path: '/v1/intelligence/arbitrage',
  tag: 'Intelligence',
  summary: 'Prices of different bookmakers on a sport’s events to come that earn whatever happens, or in the middle.',
  input: { query },
  output,
  table,
  errors: ['bad_request', 'sport_scope_denied'],
  cost: flatCost(1),
  takesBooks: true,
  checkUnpaid: requireMarket,
  async run(input, context) {
    const { sport, league, market, kind } = input;
    requireMarket(input);
    const minProfit = input.min_profit === undefined ? undefined : clamped(input.min_profit, 0, MAX_PROFIT);
    const max_age = clampedAge(input.max_age);
    const list = readBookList(input);
    const clock = context.now();
    const options = { kind, minProfit, clock, maxAge: max_age * 1000, stake: input.stake };
    const best = new BestRows<Row>(input.limit, compare);
    for await (const document of readUpcomingQuotes(context, { sport, league })) {
      for (const one of market === undefined ? MAIN_MARKETS : [market]) {
        const quotes = quotesOf(document, one);
        const offered = list ? quotesInList(quotes, list, clock) : quotes;
        for (const crossed of crossedOf(one, offered, options)) {
          const better = list && {
            better_elsewhere: betterElsewhere(one, crossed, forLegs(quotes, crossed, input.stake), list, clock),
          };
          best.add(rowOf(document, one, crossed, better));
        }
      }
    }
    const opportunities = best.all().map(({ opportunity: one }) => one);
    return {
      sport,
      league: league ?? null,
      market: market ?? null,
      kind,
      min_profit: minProfit ?? 0,
      max_age,
      opportunities,
      total: opportunities.length,
    };
  },
};

/** @throws ApiError bad_request */
function requireMarket({ sport, market }: Input): void {
  requireKnownSport(sport);
  requireThreeWay(sport, market);
}

const clamped = (value: number, min: number, max: number): number => Math.max(min, Math.min(max, value));

interface ScanOptions {
  readonly kind: Input['kind'];
  readonly minProfit: number | undefined;
  readonly clock: number;
  readonly maxAge: number;
  readonly stake: number;
}

function crossedOf(market: WatchedMarket, quotes: ReturnType<typeof quotesOf>, options: ScanOptions): CrossedBets[] {
  const { kind, minProfit = 0 } = options;
  const arbitrages = kind === 'middle' ? [] : findArbitrages(market, quotes, options);
  const middle = kind === 'arbitrage' ? null : findMiddle(market, quotes, options);
  return [...arbitrages.filter(({ profit_pct }) => profit_pct >= minProfit), ...(middle ? [middle] : [])];
}

/** The quotes as the share of each leg gets them. */
const forLegs = (quotes: ReturnType<typeof quotesOf>, { legs }: CrossedBets, stake: number) =>
  quotesForStakes(quotes, (outcome) => (stake * (legs[outcome]?.stake_pct ?? 100)) / 100);

/** Books outside the list that have a better price for one of the legs. */
const betterElsewhere = (
  market: WatchedMarket,
  { legs }: CrossedBets,
  quotes: ReturnType<typeof quotesOf>,
  list: BookList,
  clock: number,
): number => {
  const bets = legs.map(({ outcome, line, price }) => ({
    outcome,
    line: lineForOutcome(market, outcome, line),
    price,
  }));
  return countBetterElsewhere(bets, quotes, list, clock);
};

interface Row {
  readonly start: number;
  readonly opportunity: Opportunity;
}

function rowOf(
  document: MainQuotesDocument,
  market: WatchedMarket,
  { kind, profit_pct, middle, legs }: CrossedBets,
  better: Pick<Opportunity, 'better_elsewhere'> | undefined,
): Row {
  const tokens = betTokensOf(document.sport, market);
  const books = legs.map(({ book }) => book);
  return {
    start: startOf(document),
    opportunity: {
      event_id: document.id,
      kind,
      market,
      profit_pct,
      middle: middle && [...middle],
      legs: legs.map(({ outcome, ...bet }) => {
        const token = tokens[outcome]!;
        return { side: token.side, team: teamOf(document, token), bet_type: token.bet_type, ...bet };
      }),
      rules_differ: findRulesDifferences(document.sport, market, books).map((one) => ({ ...one })),
      rules_unknown: [...booksWithoutRules(document.sport, books)],
      ...better,
    },
  };
}

function compare(a: Row, b: Row): number {
  const [one, other] = [a.opportunity, b.opportunity];
  return (
    other.profit_pct - one.profit_pct ||
    a.start - b.start ||
    one.event_id - other.event_id ||
    WATCHED_MARKETS.indexOf(one.market) - WATCHED_MARKETS.indexOf(other.market) ||
    KINDS.indexOf(one.kind) - KINDS.indexOf(other.kind) ||
    (one.legs[0]!.line ?? 0) - (other.legs[0]!.line ?? 0)
  );
}
