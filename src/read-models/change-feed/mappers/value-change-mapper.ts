import { type MainQuotesDocument, mainQuotes } from '../../../../projections/odds/main-quotes.ts';
import type { EventDocument } from '../../../../projections/sports-events/events.ts';
import { timeOf } from '../../../domain/observations/observation.ts';
import { hasKnownSides } from '../../../domain/side-profiles.ts';
import type { DomainRecord } from '../../../domain/streams/domain-events.ts';
import { type CrossedBets, findArbitrages, USUAL_QUOTE_AGE } from '../../../intelligence/prices/arbitrage.ts';
import { computeBetPrices } from '../../../intelligence/prices/bet-prices.ts';
import { type BetToken, betTokensOf } from '../../../intelligence/prices/bet-tokens.ts';
import { type BookList, LISTED_QUOTE_AGE, quotesInList } from '../../../intelligence/prices/book-list.ts';
import { createEdgesOfList, type EdgesOfList, type ListedEdge } from '../../../intelligence/prices/listed-edges.ts';
import { QUOTED_MARKETS, type Quote, type QuotedMarket } from '../../../intelligence/prices/quotes.ts';
import { quotesOf, teamOf } from '../../rendering/quotes-of-event.ts';
import { MARKETS } from '../../rendering/render-odds.ts';
import type { ChangeMapper, ChangeMapperParts, ClientChange, MapRecord, NamedBooks } from '../change-mapper.ts';
import { eventBefore } from '../event-streams.ts';
import { createFoldedStreams } from '../folded-streams.ts';

export const valueChangeMapper: ChangeMapper = {
  changeTypes: ['ev', 'arbitrage'],
  recordTypes: ['PricesChanged'],
  create: mapValues,
};

/** Of the changes of one market. */
const INDEXES_OF_MARKET = 100;
const ARBITRAGE_INDEX = 50;

/**
 * `ev` where the best expected value of a bet changed, `arbitrage` where one opened or closed: before the start, on the
 * markets that a record has prices of, and once more for each list of books of those who want them. What prices were
 * worth before is judged at the time of the newest of them, so that what has gone stale since is reported as closed.
 */
function mapValues(parts: ChangeMapperParts): MapRecord {
  const { log, foldCache, events, breathe, weightOf } = parts;
  const quotes = createFoldedStreams(mainQuotes, log, foldCache, breathe);
  return async (record, isWanted, committed, listsFor) => {
    const { eventId, sport, league, at, content } = (record as Extract<DomainRecord, { type: 'PricesChanged' }>).data;
    const wantsEv = isWanted('ev', sport, eventId);
    const wantsArbitrage = isWanted('arbitrage', sport, eventId);
    if (!wantsEv && !wantsArbitrage) return [];
    const { recordedAt, position } = record;
    const clock = timeOf(recordedAt);
    const event = await eventBefore(events, record, committed);
    if (!event || !isOpen(event, clock)) return [];
    const named = new Set(content.markets.map(({ key }) => key));
    const markets = QUOTED_MARKETS.filter((market) => named.has(market));
    const offered = (document: MainQuotesDocument | undefined) =>
      markets.map((market) => (document ? quotesOf(document, market) : []));
    const worthOf = (market: QuotedMarket, some: readonly Quote[], time?: number) =>
      createMarketValue(sport, market, some, weightOf, time);
    // Read one after the other: folding the record changes the document in place.
    const before = offered(await quotes.before(record)).map((some, place) => worthOf(markets[place]!, some));
    const after = offered(await quotes.after(record)).map((some, place) => worthOf(markets[place]!, some, clock));
    const base = { eventId, sport, league, observedAt: at, at: recordedAt, position };
    const changes: ClientChange[] = [];
    const evLists = wantsEv ? listsFor('ev', sport, eventId) : [];
    const arbitrageLists = wantsArbitrage ? listsFor('arbitrage', sport, eventId) : [];
    const lists = new Map([...evLists, ...arbitrageLists].map((list) => [list.key, list]));
    for (const list of [undefined, ...lists.values()]) {
      await breathe();
      const made = list && { list };
      for (const [place, market] of markets.entries()) {
        const from = QUOTED_MARKETS.indexOf(market) * INDEXES_OF_MARKET;
        const about = { event, market };
        const [was, is] = [before[place]!(list), after[place]!(list)];
        if (wantsEv) {
          for (const { index, data } of changedEdges(about, was.edges, is.edges))
            changes.push({ ...base, eventType: 'ev', data, index: from + index, ...made });
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
}

interface MarketValue {
  /** By the index of the bet. */
  readonly edges: ReadonlyMap<number, Edge>;
  /** By line. */
  readonly arbitrages: ReadonlyMap<number | null, CrossedBets>;
}

/**
 * What a market is worth under any list of books; without one every book counts.
 * @param clock milliseconds; absent: the time of the newest quote
 */
function createMarketValue(
  sport: string,
  market: QuotedMarket,
  quotes: readonly Quote[],
  weightOf: ChangeMapperParts['weightOf'],
  clock = Math.max(0, ...quotes.map(({ at }) => at)),
): (list: NamedBooks | undefined) => MarketValue {
  const tokens = betTokensOf(sport, market);
  const terms = { clock, weightOf };
  let edgesOf: EdgesOfList | undefined;
  const found = (list: BookList | undefined): readonly (FoundEdge | null)[] => {
    // The scan has no totals of tennis either.
    if (sport === 'tennis' && market === 'totals') return [];
    if (list) {
      edgesOf ??= createEdgesOfList(market, quotes, tokens.length, terms);
      return edgesOf(list);
    }
    return computeBetPrices(market, quotes, tokens.length, terms).map(({ ev, fair, market: { line } }) =>
      ev && fair ? { line, ev, fairProbability: fair.probability } : null,
    );
  };
  return (named) => {
    const list = named && { books: named.books, maxAge: LISTED_QUOTE_AGE };
    const edges = new Map<number, Edge>();
    for (const [index, edge] of found(list).entries()) {
      if (!edge) continue;
      const { line, fairProbability, ev } = edge;
      const { book: bookmaker, price, ev_pct: percent } = ev;
      edges.set(index, { token: tokens[index]!, line, bookmaker, price, percent, fairProbability });
    }
    const arbitrages = new Map<number | null, CrossedBets>();
    const offers = list ? quotesInList(quotes, list, clock) : quotes;
    for (const one of findArbitrages(market, offers, { clock, maxAge: USUAL_QUOTE_AGE }))
      arbitrages.set(one.legs[0]!.line, one);
    return { edges, arbitrages };
  };
}

type FoundEdge = Pick<ListedEdge, 'line' | 'fairProbability' | 'ev'>;

interface Told {
  readonly event: EventDocument;
  readonly market: QuotedMarket;
}

const labelOf = (market: QuotedMarket): string => MARKETS.find(({ key }) => key === market)!.label;

function* changedEdges({ event, market }: Told, before: MarketValue['edges'], after: MarketValue['edges']) {
  for (const index of new Set([...before.keys(), ...after.keys()])) {
    const [was, is] = [before.get(index), after.get(index)];
    if (was?.percent === is?.percent) continue;
    const { token, line, bookmaker, price, fairProbability } = (is ?? was)!;
    const data = {
      event_id: event.id,
      market: labelOf(market),
      market_key: market,
      outcome: teamOf(event, token) ?? token.side,
      line,
      bookmaker,
      price,
      fair_probability: fairProbability,
      ev_percent: is?.percent ?? null,
      ev_percent_before: was?.percent ?? null,
    };
    yield { index, data };
  }
}

function changedArbitrages(
  { event, market }: Told,
  before: MarketValue['arbitrages'],
  after: MarketValue['arbitrages'],
): Readonly<Record<string, unknown>>[] {
  const tokens = betTokensOf(event.sport, market);
  const render = (state: 'opened' | 'closed', { profit_pct, legs }: CrossedBets) => ({
    event_id: event.id,
    market: labelOf(market),
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
