import { describe, expect, it } from 'vitest';
import { decideSplits, evolveSplits, initialSplits } from '../../commands/splits/decider.ts';
import { decideBox, decideLineup, evolveStatistics, initialStatistics } from '../../commands/statistics/decider.ts';
import { splits } from '../../projections/splits.ts';
import type { EventSplits, SplitMarkets } from '../../src/domain/splits.ts';
import { newStream } from './stream.ts';

const identity = { eventId: 1, sport: 'nfl', league: 'nfl' };
const time = (hour: number) => `2026-09-01T0${hour}:00:00Z`;
const share = (n: number) => ({ bets_pct: n, handle_pct: 100 - n });

function newSplits() {
  const stream = newStream(initialSplits, evolveSplits);
  let document: EventSplits | undefined;
  return {
    document: () => document,
    tell(hour: number, markets: SplitMarkets, bookmaker: string | null = null) {
      const fact = { identity, at: time(hour), source: 's', content: { bookmaker, markets } };
      const records = stream.decide((state) => decideSplits(fact, state));
      for (const record of records) document = splits.apply(document, structuredClone(record));
      return records.map(({ type }) => type);
    },
  };
}

describe('splits', () => {
  it('given the consensus, when a bookmaker comes, then both stand', () => {
    const event = newSplits();
    event.tell(1, { moneyline: { home: share(60) } });
    event.tell(2, { moneyline: { home: share(70) } }, 'b');
    expect(event.document()).toEqual({
      capturedAt: time(2),
      consensus: { moneyline: { home: share(60) } },
      books: { b: { moneyline: { home: share(70) } } },
    });
  });

  it('given a side with a line, when it comes without, then the line stays; other sides and markets stay too', () => {
    const event = newSplits();
    event.tell(1, { spread: { home: { ...share(60), line: -3 }, away: share(40) }, total: { over: share(50) } });
    event.tell(2, { spread: { home: share(61) } });
    expect(event.document()?.consensus).toEqual({
      spread: { home: { ...share(61), line: -3 }, away: share(40) },
      total: { over: share(50) },
    });
  });

  it('given newer splits, when older ones come, then they fill in and overwrite nothing', () => {
    const event = newSplits();
    event.tell(3, { moneyline: { home: share(60) } });
    event.tell(1, { moneyline: { home: share(10), away: share(90) } });
    expect(event.document()).toMatchObject({
      capturedAt: time(3),
      consensus: { moneyline: { home: share(60), away: share(90) } },
    });
  });

  it('given splits, when they are repeated, then the record is compact; when they come again, there is none', () => {
    const event = newSplits();
    event.tell(1, { total: { over: share(50) } });
    expect(event.tell(2, { total: { over: share(50) } })).toEqual(['SplitsReconfirmed']);
    expect(event.document()?.capturedAt).toBe(time(2));
    expect(event.tell(2, { total: { over: share(50) } })).toEqual([]);
  });
});

describe('statistics', () => {
  it.each([
    ['box', decideBox, { teams: { home: { points: 1 } } }, { teams: { home: { points: 2 } } }, 'Box'],
    ['lineup', decideLineup, { teams: { home: { players: [] } } }, { teams: {} }, 'Lineup'],
  ] as const)(
    'records a %s as it was said, a repetition compactly, and nothing twice',
    (_, decide, one, other, name) => {
      const stream = newStream(initialStatistics, evolveStatistics);
      const tell = (hour: number, content: object) =>
        stream
          .decide((state) => decide({ identity, at: time(hour), source: 's', content: content as never }, state))
          .map(({ type }) => type);
      expect(tell(1, one)).toEqual([`${name}Changed`]);
      expect(tell(2, one)).toEqual([`${name}Reconfirmed`]);
      expect(tell(4, other)).toEqual([`${name}Changed`]);
      expect(tell(3, one)).toEqual([`${name}Changed`]);
      for (const [hour, content] of [
        [1, one],
        [2, one],
        [3, one],
        [4, other],
      ] as const)
        expect(tell(hour, content)).toEqual([]);
      stream.reload();
      expect(tell(2, one)).toEqual([]);
    },
  );
});
