import { type MainQuotesDocument, mainQuotes } from '../../../../projections/odds/main-quotes.ts';
import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { WATCHED_MARKETS, type WatchedMarket } from '../../../domain/odds/bookmaker-prices.ts';
import { hasThreeWay, THREE_WAY } from '../../../domain/odds/three-way.ts';
import { hasKnownSides } from '../../../domain/side-profiles.ts';
import { type DomainRecord, streams } from '../../../domain/streams/domain-events.ts';
import { type CrossedBets, findArbitrages, USUAL_QUOTE_AGE } from '../../../intelligence/prices/arbitrage.ts';
import { computeBetPrices, type JudgeFair } from '../../../intelligence/prices/bet-prices.ts';
import { type BetToken, betTokensOf } from '../../../intelligence/prices/bet-tokens.ts';
import { type BookList, LISTED_QUOTE_AGE, quotesInList } from '../../../intelligence/prices/book-list.ts';
import { createEdgesOfList, type EdgesOfList, type ListedEdge } from '../../../intelligence/prices/listed-edges.ts';
import { QUOTED_MARKETS, type Quote } from '../../../intelligence/prices/quotes.ts';
import { weightsAt } from '../../../intelligence/prices/sharp-books.ts';
import { quotesOf, teamOf } from '../../rendering/quotes-of-event.ts';
import { labelOfMarket } from '../../rendering/render-odds.ts';
import type { ChangeMapper, ChangeMapperParts, ClientChange, MapRecord, NamedBooks } from '../change-mapper.ts';
import { beforeBeside, eventBefore } from '../event-streams.ts';
import { createFoldedStreams } from '../folded-streams.ts';
import { judgeByPublished, type PublishedBlends, publishedBlends } from '../published-blends.ts';

export const valueChangeMapper: ChangeMapper = {
  changeTypes: ['ev', 'arbitrage'],
  recordTypes: ['PricesChanged', 'IntelligencePublished'],
  create: mapValues,
};

/** Of the changes of one market. */
const INDEXES_OF_MARKET = 100;
const ARBITRAGE_INDEX = 50;

/**
 * `ev` where the best expected value of a bet changed, `arbitrage` where one opened or closed: before the start, on the
 * markets that a record has prices of, and once more for each list of books of those who want them. What prices were
 * worth before is judged at the time of the newest of them, so that what has gone stale since is reported as closed.
 *
 * An edge is judged by the fair price, and by its blend with the forecast. Published intelligence changes the latter.
 */
function mapValues(parts: ChangeMapperParts): MapRecord {
  const { log, foldCache, events, breathe, weightOf } = parts;
  const quotes = createFoldedStreams(mainQuotes, log, foldCache, breathe);
  const blends = createFoldedStreams(publishedBlends, log, foldCache, breathe);

  /** Before and after a record, one after the other: folding a record of prices changes the document in place. */
  async function* priced(record: ValueRecord, committed: bigint, markets: readonly WatchedMarket[]) {
    const offered = (document: MainQuotesDocument | undefined) =>
      markets.map((market) => (document ? quotesOf(document, market) : []));
    if (record.type === 'PricesChanged') {
      const published = await beforeBeside(blends, streams.intelligence, record, committed);
      yield { offers: offered(await quotes.before(record)), published, time: undefined };
      yield { offers: offered(await quotes.after(record)), published, time: timeOf(record.recordedAt) };
    } else {
      const offers = offered(await beforeBeside(quotes, streams.odds, record, committed));
      yield { offers, published: await blends.before(record), time: undefined };
      yield { offers, published: await blends.after(record), time: undefined };
    }
  }

  return async (untyped, isWanted, committed, listsFor) => {
    const record = untyped as ValueRecord;
    const { eventId, sport, league, at } = record.data;
    const wantsEv = isWanted('ev', sport, eventId);
    const wantsArbitrage = record.type === 'PricesChanged' && isWanted('arbitrage', sport, eventId);
    if (!wantsEv && !wantsArbitrage) return [];
    const { recordedAt, position } = record;
    const clock = timeOf(recordedAt);
    const event = await eventBefore(events, record, committed);
    if (!event || !isOpen(event, clock)) return [];
    const markets = marketsOf(record);
    const worths: ReturnType<typeof createMarketValue>[][] = [];
    for await (const { offers, published, time } of priced(record, committed, markets)) {
      const terms = { weightOf, published, time };
      worths.push(offers.map((some, place) => createMarketValue(sport, markets[place]!, some, terms)));
    }
    const [before, after] = worths as [(typeof worths)[number], (typeof worths)[number]];
    const base = { eventId, sport, league, observedAt: at, at: recordedAt, position };
    const changes: ClientChange[] = [];
    const evLists = wantsEv ? listsFor('ev', sport, eventId) : [];
    const arbitrageLists = wantsArbitrage ? listsFor('arbitrage', sport, eventId) : [];
    const lists = new Map([...evLists, ...arbitrageLists].map((list) => [list.key, list]));
    for (const list of [undefined, ...lists.values()]) {
      await breathe();
      const made = list && { list };
      for (const [place, market] of markets.entries()) {
        const from = WATCHED_MARKETS.indexOf(market) * INDEXES_OF_MARKET;
        const about = { event, market };
        const [was, is] = [before[place]!(list), after[place]!(list)];
        if (wantsEv) {
          for (const { index, ...changed } of changedEdges(about, was, is))
            changes.push({ ...base, eventType: 'ev', ...changed, index: from + index, ...made });
        }
        if (wantsArbitrage) {
          const crossed = changedArbitrages(about, was.arbitrages, is.arbitrages);
          for (const [index, data] of crossed.entries())
            changes.push({ ...base, eventType: 'arbitrage', data, index: from + ARBITRAGE_INDEX + index, ...made });
        }
      }
    }
    return changes;
  };
}

type ValueRecord = Extract<DomainRecord, { type: 'PricesChanged' | 'IntelligencePublished' }>;

/** The markets that a record is about. */
function marketsOf({ type, data }: ValueRecord): WatchedMarket[] {
  if (type === 'PricesChanged') {
    const named = new Set<string>(data.content.markets.map(({ key }) => key));
    return WATCHED_MARKETS.filter((market) => named.has(market) && (market !== THREE_WAY || hasThreeWay(data.sport)));
  }
  const changed = new Set(data.bets.map(({ bet_type }) => bet_type));
  return QUOTED_MARKETS.filter((market) =>
    betTokensOf(data.sport, market).some(({ bet_type }) => changed.has(bet_type)),
  );
}

function isOpen(document: EventDocument, clock: number): boolean {
  const { status, schedule } = document.event;
  if (!schedule || (status !== 'scheduled' && status !== 'delayed') || !hasKnownSides(document)) return false;
  return timeOf(schedule.starts_at) > clock;
}

/** The best offer of a bet with an expected value above 0. */
interface Edge {
  readonly token: BetToken;
  readonly line: number | null;
  readonly bookmaker: string;
  readonly price: number;
  readonly percent: number;
  readonly fairProbability: number;
  readonly judgedProbability: number;
}

/** By the index of the bet. */
type Edges = ReadonlyMap<number, Edge>;

interface MarketValue {
  /** Judged by the fair price, and by the blend. */
  readonly edges: Edges;
  readonly edgesByBlend: Edges;
  /** By line. */
  readonly arbitrages: ReadonlyMap<number | null, CrossedBets>;
}

interface ValueTerms extends Pick<ChangeMapperParts, 'weightOf'> {
  readonly published: PublishedBlends | undefined;
  /** Milliseconds; undefined: the time of the newest quote. */
  readonly time: number | undefined;
}

/** What a market is worth under any list of books; without one every book counts. */
function createMarketValue(
  sport: string,
  market: WatchedMarket,
  quotes: readonly Quote[],
  { weightOf: weights, published, time }: ValueTerms,
): (list: NamedBooks | undefined) => MarketValue {
  const clock = time ?? Math.max(0, ...quotes.map(({ at }) => at));
  const weightOf = weightsAt(weights, sport, clock);
  const tokens = betTokensOf(sport, market);
  const byBlend = judgeByPublished(published, market, tokens);
  const ofLists = new Map<JudgeFair | undefined, EdgesOfList>();
  const found = (list: BookList | undefined, judge: JudgeFair | undefined): readonly (FoundEdge | null)[] => {
    const terms = { clock, weightOf, ...(judge && { judge }) };
    // The scan has no totals of tennis either.
    if (sport === 'tennis' && market === 'totals') return [];
    if (list) {
      const edgesOf = ofLists.get(judge) ?? createEdgesOfList(market, quotes, tokens.length, terms);
      ofLists.set(judge, edgesOf);
      return edgesOf(list);
    }
    const bets = computeBetPrices(market, quotes, tokens.length, terms);
    const fairs = bets.map(({ fair }) => fair?.probability ?? 0);
    return bets.map(({ ev, fair, market: { line } }, outcome) => {
      if (!ev || !fair) return null;
      const judged = judge?.(fairs, bets[0]!.market.line) ?? fairs;
      return { line, ev, fairProbability: fair.probability, judgedProbability: judged[outcome]! };
    });
  };
  const edgesFor = (list: BookList | undefined, judge: JudgeFair | undefined): Edges => {
    const edges = new Map<number, Edge>();
    for (const [index, edge] of found(list, judge).entries()) {
      if (!edge) continue;
      const { ev, ...values } = edge;
      const { book: bookmaker, price, ev_pct: percent } = ev;
      edges.set(index, { token: tokens[index]!, bookmaker, price, percent, ...values });
    }
    return edges;
  };
  return (named) => {
    const list = named && { books: named.books, maxAge: LISTED_QUOTE_AGE };
    const arbitrages = new Map<number | null, CrossedBets>();
    const offers = list ? quotesInList(quotes, list, clock) : quotes;
    for (const one of findArbitrages(market, offers, { clock, maxAge: USUAL_QUOTE_AGE }))
      arbitrages.set(one.legs[0]!.line, one);
    return { edges: edgesFor(list, undefined), edgesByBlend: edgesFor(list, byBlend), arbitrages };
  };
}

type FoundEdge = Pick<ListedEdge, 'line' | 'fairProbability' | 'judgedProbability' | 'ev'>;

interface ChangedMarket {
  readonly event: EventDocument;
  readonly market: WatchedMarket;
}

type EdgeChange = Pick<ClientChange, 'data' | 'index'> & { readonly dataByBlend: ClientChange['data'] | null };

/** The edges of a market that changed, by the one judgement or by the other. */
function* changedEdges(about: ChangedMarket, before: MarketValue, after: MarketValue): Generator<EdgeChange> {
  const judged = [before.edges, after.edges, before.edgesByBlend, after.edgesByBlend];
  for (const index of new Set(judged.flatMap((edges) => [...edges.keys()]))) {
    const [was, is, wasByBlend, isByBlend] = judged.map((edges) => edges.get(index));
    const ofBlend = isByBlend ?? wasByBlend;
    const hasChanged = wasByBlend?.percent !== isByBlend?.percent;
    if (!hasChanged && was?.percent === is?.percent) continue;
    const dataByBlend =
      ofBlend && hasChanged
        ? {
            ...edgeData(about, ofBlend, wasByBlend, isByBlend),
            by: 'blend',
            blend_probability: ofBlend.judgedProbability,
          }
        : null;
    // By the fair price there may be no edge at all. Then its data tells of none, before and after: nobody gets it.
    yield { index, data: edgeData(about, (is ?? was ?? ofBlend)!, was, is), dataByBlend };
  }
}

function edgeData(
  { event, market }: ChangedMarket,
  { token, line, bookmaker, price, fairProbability }: Edge,
  was: Edge | undefined,
  is: Edge | undefined,
): ClientChange['data'] {
  return {
    event_id: event.id,
    market: labelOfMarket(market),
    market_key: market,
    outcome: teamOf(event, token) ?? token.side,
    line,
    bookmaker,
    price,
    fair_probability: fairProbability,
    ev_percent: is?.percent ?? null,
    ev_percent_before: was?.percent ?? null,
  };
}

function changedArbitrages(
  { event, market }: ChangedMarket,
  before: MarketValue['arbitrages'],
  after: MarketValue['arbitrages'],
): Readonly<Record<string, unknown>>[] {
  const tokens = betTokensOf(event.sport, market);
  const render = (state: 'opened' | 'closed', { profit_pct, legs }: CrossedBets) => ({
    event_id: event.id,
    market: labelOfMarket(market),
    market_key: market,
    state,
    profit_percent: profit_pct,
    legs: legs.map(({ outcome, book, line, price, stake_pct }) => ({
      outcome: teamOf(event, tokens[outcome]!) ?? tokens[outcome]!.side,
      bookmaker: book,
      line,
      price,
      stake_percent: stake_pct,
    })),
  });
  const opened = [...after].filter(([line]) => !before.has(line)).map(([, one]) => render('opened', one));
  const closed = [...before].filter(([line]) => !after.has(line)).map(([, one]) => render('closed', one));
  return [...opened, ...closed];
}
