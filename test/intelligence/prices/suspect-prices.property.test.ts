import fc from 'fast-check';
import { expect, it } from 'vitest';
import { type OddsDocument, odds } from '../../../projections/odds/odds.ts';
import { createFold } from '../../../src/domain/event-sourcing/document-fold.ts';
import { formatTime } from '../../../src/domain/primitives/time.ts';
import { CURRENT_VERSIONS, type DomainRecord } from '../../../src/domain/streams/domain-events.ts';
import { PriceSummary } from '../../../src/intelligence/prices/price-summary.ts';
import { type PriceUpdate, QuoteBoard } from '../../../src/intelligence/prices/quote-board.ts';
import { suspectsOf } from '../../../src/read-models/rendering/render-odds.ts';
import { cases } from '../../support/cases.ts';
import { type KnownMarket, knownMarket, moneylineOf } from './known-markets.ts';

const many = { numRuns: cases(1000) };
const MINUTE = 60_000;

/** The books whose moneyline counts. */
function countedAfter(updates: readonly PriceUpdate[]): string[] {
  const board = new QuoteBoard(false);
  for (const update of updates) board.apply(update);
  return board
    .quotes('h2h')
    .map(({ book }) => book)
    .sort();
}

function documentAfter(updates: readonly PriceUpdate[]): OddsDocument {
  const documents = new Map<string, OddsDocument>();
  const identity = { eventId: 7, sport: 'nfl', league: 'nfl' };
  for (const [revision, { at, bookmaker, markets }] of updates.entries()) {
    const data = { ...identity, at: formatTime(at), source: 'a', content: { bookmaker, markets } };
    const record = { type: 'PricesChanged', version: CURRENT_VERSIONS.PricesChanged, data, meta: { partition: 'p' } };
    const placed = { stream: 's', revision, position: BigInt(revision + 1), recordedAt: formatTime(at) };
    createFold(odds).applyInto(documents, { ...record, ...placed } as unknown as DomainRecord);
  }
  return documents.get('7')!;
}

const wrongBook = ({ impossible }: KnownMarket): string => impossible.bookmaker;
const others = (market: KnownMarket): string[] => market.books.filter((book) => book !== wrongBook(market)).sort();

it('an impossible row counts nowhere from its arrival, and no other row is suspect', () => {
  fc.assert(
    fc.property(knownMarket, (market) => {
      for (let end = market.books.length; end <= market.before.length; end++) {
        expect(countedAfter(market.before.slice(0, end))).toEqual([...market.books].sort());
      }
      expect(countedAfter([...market.before, market.impossible])).toEqual(others(market));
    }),
    many,
  );
});

it('it counts again when its book repeats it at a later time, and not when it says it twice at one time', () => {
  fc.assert(
    fc.property(knownMarket, (market) => {
      const { before, impossible } = market;
      const again = { ...impossible, at: impossible.at + MINUTE };
      expect(countedAfter([...before, impossible, impossible])).toEqual(others(market));
      expect(countedAfter([...before, impossible, again])).toEqual([...market.books].sort());
    }),
    many,
  );
});

it('it counts again when another book comes near it', () => {
  fc.assert(
    fc.property(knownMarket, (market) => {
      const { before, impossible, home } = market;
      const follower = moneylineOf(impossible.at + 1, others(market)[0]!, home + 0.01);
      expect(countedAfter([...before, impossible])).not.toContain(wrongBook(market));
      expect(countedAfter([...before, impossible, follower])).toContain(wrongBook(market));
    }),
    many,
  );
});

it('the documents mark the prices that the board leaves out', () => {
  fc.assert(
    fc.property(knownMarket, (market) => {
      const { before, impossible } = market;
      const again = { ...impossible, at: impossible.at + MINUTE };
      for (const story of [before, [...before, impossible], [...before, impossible, again]]) {
        const isSuspect = suspectsOf(documentAfter(story));
        const counted = market.books.filter(
          (book) => !isSuspect(book, 'h2h', 'home') && !isSuspect(book, 'h2h', 'away'),
        );
        expect(counted.sort()).toEqual(countedAfter(story));
      }
    }),
    many,
  );
});

it('the summary has it as the present price alone until it is released', () => {
  fc.assert(
    fc.property(knownMarket, (market) => {
      const { before, impossible } = market;
      const summary = new PriceSummary(impossible.at + 60 * MINUTE);
      for (const update of [...before, impossible]) summary.apply(update);
      const story = () => summary.books.get(wrongBook(market))!.stories.h2h.get('home')!;
      const price = impossible.markets[0]!.outcomes[0]!.price;
      expect([story().current?.price, story().isSuspect, story().close]).toEqual([price, true, null]);
      expect([story().high?.price, story().low?.price]).not.toContain(price);
      expect(story().suspectAt).toEqual([impossible.at]);
      summary.apply({ ...impossible, at: impossible.at + MINUTE });
      expect([story().isSuspect, story().close?.price, story().suspectAt]).toEqual([false, price, []]);
      expect([story().high?.price, story().low?.price]).toContain(price);
    }),
    many,
  );
});
