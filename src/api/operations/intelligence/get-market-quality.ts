import { z } from 'zod';
import { type EventDocument, events, startSortKey } from '../../../../projections/sports-events/events.ts';
import { type InjuriesDocument, injuries } from '../../../../projections/sports-events/injuries.ts';
import { findLeague } from '../../../domain/catalogue/catalogue.ts';
import { rulesOf } from '../../../domain/catalogue/sport-rules.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { DAY, HOUR, SECOND } from '../../../domain/primitives/time.ts';
import { severityOf } from '../../../domain/sports-events/injury-reports.ts';
import { MarketQualityTotals } from '../../../intelligence/evaluation/market-quality.ts';
import { QUOTED_MARKETS } from '../../../intelligence/prices/quotes.ts';
import { yieldToEventLoop } from '../../../platform/async/yield-to-event-loop.ts';
import { findPages } from '../../../read-models/store/query-pages.ts';
import { badRequest } from '../../calls/api-errors.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { answerTable } from '../../calls/operation/table.ts';
import { requireSport } from '../../calls/scopes.ts';
import { integer, oneOf, text } from '../shared/parameters.ts';

const query = z.object({
  league: text('League slug.').meta({ examples: ['nfl'] }),
  market: oneOf('Market.', QUOTED_MARKETS).default('h2h'),
  days: integer('Events that started within so many days before now.', { min: 1, max: 90 }).default(30),
});
type Input = z.infer<typeof query>;

const reaction = z.object({ seconds: z.number().nullable(), n: z.int() });
const book = z
  .object({
    bookmaker: z.string(),
    n: z.int().meta({ description: 'Events for which it had prices before the start.' }),
    best_share: z.number().nullable().meta({ description: 'Share of the time in which its price was the best one.' }),
    hold: z.number().nullable().meta({ description: 'Mean of 1 - 1/(sum of the implied probabilities).' }),
    age_seconds: z.number().nullable().meta({ description: 'Mean age of its prices.' }),
    stale_share: z.number().nullable().meta({ description: 'Share of the time in which they were too old to count.' }),
    outlier_share: z.number().nullable().meta({ description: 'Share of its new prices far outside all others.' }),
    lead: z
      .object({ seconds: z.number().nullable(), n: z.int(), interval: z.array(z.number()).length(2).nullable() })
      .meta({ description: 'By how much its moves go before those of the others; below 0 it follows. 95 %.' }),
    edge_half_life_seconds: z
      .number()
      .nullable()
      .meta({ description: 'After this time half of its prices better than fair are gone.' }),
    reaction: z
      .object({ injury: reaction, lineup: reaction })
      .meta({ description: 'Mean time to its next move after news, of moves within 30 minutes.' }),
    sources: z
      .array(z.object({ source: z.string(), against: z.string(), n: z.int(), mean_difference: z.number() }))
      .meta({ description: 'Decimal prices of this source relative to another one’s; the lower one is named first.' }),
  })
  .meta({ id: 'BookQuality' });
const output = z
  .object({ league: z.string(), market: z.enum(QUOTED_MARKETS), days: z.int(), books: z.array(book) })
  .meta({ id: 'MarketQuality' });

const table = answerTable(
  z.object({ league: z.string(), market: z.enum(QUOTED_MARKETS), days: z.int(), ...book.shape }),
  ({ league, market, days, books }: z.infer<typeof output>) => books.map((one) => ({ league, market, days, ...one })),
);

export const getMarketQuality: Operation<unknown, Input, unknown, z.infer<typeof output>> = {
  name: 'get_market_quality',
  method: 'GET',
  path: '/v1/markets/quality',
  tag: 'Intelligence',
  summary: 'How good each bookmaker’s market is: best prices, hold, age, who leads, and which source differs.',
  hint: 'Counts prices from before the start alone.',
  input: { query },
  output,
  table,
  errors: ['bad_request', 'sport_scope_denied'],
  cost: flatCost(1),
  cache: () => 300,
  checkUnpaid: requireKnownLeague,
  async run(input, context) {
    requireKnownLeague(input, context);
    const { league, market, days } = input;
    const totals = new MarketQualityTotals();
    const injuriesOf = createInjuryReader(context.store);
    let priced = 0;
    for await (const page of readEvents(context, league, days)) {
      if (priced >= MAX_EVENTS) break;
      const qualities = await Promise.all(page.map((event) => context.marketQualities.of(event)));
      for (const [place, { markets, lineups }] of qualities.entries()) {
        const sums = markets[market];
        if (Object.keys(markets).length > 0) priced++;
        if (sums) totals.add(sums, { injury: await injuriesOf(page[place]!), lineup: lineups });
        await yieldToEventLoop();
      }
    }
    return { league, market, days, books: totals.measures() };
  },
};

/** @throws ApiError bad_request, sport_scope_denied */
function requireKnownLeague({ league }: Pick<Input, 'league'>, { principal }: Pick<OperationContext, 'principal'>) {
  const known = findLeague(league);
  if (!known) throw badRequest(`league: there is no league ${league}`);
  requireSport(principal, known.sport);
}

/** Events in one read, and in one answer: the newest with prices count. */
const PAGE = 50;
const MAX_EVENTS = 1500;
/** Events that are read for it, with prices or without. */
const MAX_READ = 10_000;

const NOT_BEGUN: ReadonlySet<string> = new Set(['postponed', 'cancelled', 'walkover']);

/** The events that have started. */
async function* readEvents(
  { store, now }: Pick<OperationContext, 'store' | 'now'>,
  league: string,
  days: number,
): AsyncGenerator<readonly EventDocument[]> {
  const query = {
    where: { league },
    range: { field: 'starts_at', from: now() - days * DAY, to: now() },
    order: { field: 'starts_at', direction: 'desc' },
    limit: PAGE,
  } as const;
  let read = 0;
  for await (const page of findPages<EventDocument>(store, events.name, query, startSortKey)) {
    yield page.map(({ document }) => document).filter(({ event }) => !NOT_BEGUN.has(event.status));
    read += page.length;
    if (read >= MAX_READ) return;
  }
}

/** Reports on a team this long before a start are news of the game. */
const NEWS_BEFORE = 48 * HOUR;
/** Reports of one team that are read. */
const MAX_PLAYERS = 200;

type InjuryReader = (document: EventDocument) => Promise<readonly number[]>;

/** When players of an event were told to be worse, before its start: Unix seconds, each moment once. A team is read once. */
function createInjuryReader(store: Pick<OperationContext['store'], 'find'>): InjuryReader {
  const known = new Map<number, Promise<readonly number[]>>();
  const newsOf = (teamId: number): Promise<readonly number[]> => {
    let news = known.get(teamId);
    if (!news) {
      news = readNews(store, teamId);
      known.set(teamId, news);
    }
    return news;
  };
  return async ({ sport, event }) => {
    if (rulesOf(sport).entry === 'player') return [];
    const { sides = [], starts_at } = event.schedule!;
    const start = timeOf(starts_at);
    const teams = sides.flatMap(({ id }) => (id === null ? [] : [id]));
    const all = (await Promise.all(teams.map(newsOf))).flat();
    const before = all.filter((at) => at < start && at >= start - NEWS_BEFORE);
    return [...new Set(before)].sort((a, b) => a - b).map((at) => Math.floor(at / SECOND));
  };
}

/** When a report made a player's availability worse or better: milliseconds. */
async function readNews(store: Pick<OperationContext['store'], 'find'>, teamId: number): Promise<readonly number[]> {
  const query = { where: { team_id: teamId }, limit: MAX_PLAYERS };
  const players = await store.find<InjuriesDocument>(injuries.name, query);
  return players.flatMap(({ document: { reports } }) =>
    reports.flatMap(({ at, status }, index) => {
      const previous = reports[index - 1]?.status ?? null;
      // Of no event yet: its start matters for what is critical alone.
      const severity = severityOf(previous, status, timeOf(at), Number.POSITIVE_INFINITY);
      return severity === 'info' ? [] : [timeOf(at)];
    }),
  );
}
