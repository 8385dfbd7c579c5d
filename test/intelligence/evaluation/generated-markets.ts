import { formatTime } from '../../../src/domain/primitives/time.ts';
import type { DomainRecord } from '../../../src/domain/streams/domain-events.ts';
import { type EventMarketSums, MarketQualityFold } from '../../../src/forecasting/facts/market-quality-fold.ts';
import { randomOf } from '../../api/fuzz/random.ts';

/**
 * Markets whose truth is known. The chance of home jumps every half hour, and each book follows after its own delay:
 * `leader` within 5 seconds, `laggard` after two to four minutes, the others in between. `wild` makes mistakes, and
 * the feed `shading` tells of the book `shaded` prices that are 3 % too low.
 */
export const TRUTH = { mistakes: 0.08, shade: 0.03 };

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const JUMPS = 8;
const DELAYS: Readonly<Record<string, readonly [least: number, most: number]>> = {
  leader: [0, 5],
  steady: [20, 60],
  shaded: [20, 60],
  wild: [20, 60],
  usual: [20, 60],
  laggard: [120, 240],
};
const MARGIN = 1.045;

export interface Told {
  readonly at: number;
  readonly book: string;
  readonly source: string;
  readonly prices: readonly number[];
}

/**
 * One event from the records of its stream, with the start long after the last jump.
 * @param more tells further prices of the market after each jump, from its time and the chance of home on
 */
export function generatedEvent(seed: number, id: number, more?: (at: number, chance: number) => Told): EventMarketSums {
  const { below } = randomOf(seed * 1000 + id);
  const random = () => below(1_000_000) / 1_000_000;
  const begin = Date.parse('2026-02-01T00:00:00Z') + id * 60 * MINUTE;
  const start = begin + (JUMPS + 1) * 30 * MINUTE;
  const told = pricesOf(random, begin, more).sort((a, b) => a.at - b.at);
  return foldEvent(id, start, told);
}

function pricesOf(random: () => number, begin: number, more?: (at: number, chance: number) => Told): Told[] {
  const told: Told[] = [];
  let chance = 0.35 + 0.3 * random();
  for (let jump = 0; jump < JUMPS; jump++) {
    const size = 0.02 + 0.03 * random();
    chance += (chance > 0.65 || (chance > 0.35 && random() < 0.5) ? -1 : 1) * size;
    if (more) told.push(more(begin + jump * 30 * MINUTE + SECOND, chance));
    for (const [book, [least, most]] of Object.entries(DELAYS)) {
      const at = begin + jump * 30 * MINUTE + Math.round((least + (most - least) * random()) * SECOND);
      const isMistake = book === 'wild' && jump > 0 && random() < TRUTH.mistakes;
      const said = isMistake ? 1 - chance + (chance > 0.5 ? -0.1 : 0.1) : chance;
      const say = (later: number, source: string, factor: number) =>
        told.push({
          at: at + later * SECOND,
          book,
          source,
          prices: [said, 1 - said].map((one) => american(one, factor)),
        });
      say(0, 'honest', 1);
      if (book === 'shaded' || book === 'steady') say(10, 'shading', book === 'shaded' ? 1 - TRUTH.shade : 1);
    }
  }
  return told;
}

/** @param factor of the decimal price */
export function american(chance: number, factor: number): number {
  const profit = factor / (chance * MARGIN) - 1;
  return profit >= 1 ? Math.round(100 * profit) : -Math.round(100 / profit);
}

function foldEvent(id: number, start: number, told: readonly Told[]): EventMarketSums {
  const fold = new MarketQualityFold({ sport: 'nfl', closesAt: start });
  let revision = -1;
  const apply = (type: string, at: number, data: object) => {
    revision++;
    const time = formatTime(at);
    const record = { stream: `odds-${id}`, type, revision, position: BigInt(revision), recordedAt: time };
    const identity = { eventId: id, sport: 'nfl', league: 'nfl' };
    fold.apply({
      ...record,
      version: 1,
      meta: {},
      data: { ...identity, at: time, ...data },
    } as unknown as DomainRecord);
    return revision;
  };
  const last = new Map<string, { readonly prices: string; readonly revision: number }>();
  for (const { at, book, source, prices } of told) {
    const known = last.get(book);
    const name = JSON.stringify(prices);
    if (known?.prices === name) {
      apply('PricesReconfirmed', at, { source, bookmaker: book, of: known.revision });
      continue;
    }
    const outcomes = prices.map((price, side) => ({ outcome: side === 0 ? 'home' : 'away', price }));
    const markets = [{ key: 'h2h', scope: 'match', alternate: false, complete: true, outcomes }];
    last.set(book, {
      prices: name,
      revision: apply('PricesChanged', at, { source, content: { bookmaker: book, markets } }),
    });
  }
  return fold.end();
}
