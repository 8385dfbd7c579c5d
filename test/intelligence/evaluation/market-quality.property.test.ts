import fc from 'fast-check';
import { expect, it } from 'vitest';
import { MarketQualityTotals } from '../../../src/intelligence/evaluation/market-quality.ts';
import { cases } from '../../support/cases.ts';
import { american, generatedEvent, TRUTH } from './generated-markets.ts';

const EVENTS = 200;
const NO_NEWS = { injury: [], lineup: [] };

it('given 200 events whose truth is known, then the leader, the laggard, the mistaken book and the shading source are named', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
      const totals = new MarketQualityTotals();
      for (let id = 1; id <= EVENTS; id++) totals.add(generatedEvent(seed, id).h2h!, NO_NEWS);
      const books = totals.measures();
      const of = (name: string) => books.find(({ bookmaker }) => bookmaker === name)!;

      expect(books.map(({ bookmaker }) => bookmaker)).toEqual([...books.map(({ bookmaker }) => bookmaker)].sort());
      expect(books.every(({ n }) => n === EVENTS)).toBe(true);

      const byLead = [...books].sort((a, b) => b.lead.seconds! - a.lead.seconds!);
      expect([byLead[0]!.bookmaker, byLead.at(-1)!.bookmaker]).toEqual(['leader', 'laggard']);
      expect(of('leader').lead.interval![0]).toBeGreaterThan(0);
      // It follows after 180 seconds on average, and the others after 40.
      expect(of('laggard').lead.seconds).toBeGreaterThan(-160);
      expect(of('laggard').lead.seconds).toBeLessThan(-120);

      const byOutliers = [...books].sort((a, b) => b.outlier_share! - a.outlier_share!);
      expect(byOutliers[0]!.bookmaker).toBe('wild');
      expect(Math.abs(of('wild').outlier_share! - TRUTH.mistakes)).toBeLessThan(0.04);

      const [shaded] = of('shaded').sources;
      expect([shaded!.source, shaded!.against]).toEqual(['shading', 'honest']);
      expect(Math.abs(shaded!.mean_difference + TRUTH.shade)).toBeLessThan(0.003);
      expect(Math.abs(of('steady').sources[0]!.mean_difference)).toBeLessThan(0.002);
      expect(of('leader').sources).toEqual([]);
    }),
    { numRuns: cases(10) },
  );
});

it('the average of books, which moves first and has the best prices, changes no measure of a book, and leads nothing', () => {
  const measuresOf = (seed: number, ofAverage: boolean) => {
    const totals = new MarketQualityTotals();
    const average = (at: number, chance: number) => ({
      ...{ at, book: 'consensus', source: 'honest' },
      prices: [chance, 1 - chance].map((one) => american(one, 1.05)),
    });
    for (let id = 1; id <= 40; id++)
      totals.add(generatedEvent(seed, id, ofAverage ? average : undefined).h2h!, NO_NEWS);
    return totals.measures();
  };
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 1_000_000 }), (seed) => {
      const measures = measuresOf(seed, true);
      const own = measures.find(({ bookmaker }) => bookmaker === 'consensus')!;
      expect(measures.filter((one) => one !== own)).toEqual(measuresOf(seed, false));
      expect(own).toMatchObject({ best_share: null, edge_half_life_seconds: null, lead: { seconds: null, n: 0 } });
      expect(own.hold).toBeLessThan(0);
    }),
    { numRuns: cases(10) },
  );
});
