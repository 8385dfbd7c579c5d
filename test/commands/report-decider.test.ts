import { describe, expect, it } from 'vitest';
import { splitsDecider } from '../../commands/splits-decider.ts';
import { boxDecider, lineupDecider } from '../../commands/statistics-decider.ts';
import { splits } from '../../projections/odds/splits.ts';
import type { StreamDecider } from '../../src/domain/event-sourcing/stream-decider.ts';
import type { SplitMarkets } from '../../src/domain/odds/betting-splits.ts';
import { eventsOf, given } from '../support/given.ts';

const identity = { eventId: 1, sport: 'nfl', league: 'nfl' };
const meta = { partition: 'event-1' };
const time = (hour: number) => `2026-09-01T0${hour}:00:00Z`;
const share = (n: number) => ({ bets_pct: n, handle_pct: 100 - n });

const told = (hour: number, markets: SplitMarkets, bookmaker: string | null = null) => ({
  identity,
  at: time(hour),
  source: 's',
  content: { bookmaker, markets },
});
const streamAfter = (...facts: ReturnType<typeof told>[]) => eventsOf(splitsDecider, ...facts);

describe('splits', () => {
  it('given the consensus, when a bookmaker is added, then both are kept', () => {
    const consensus = told(1, { moneyline: { home: share(60) } });
    const book = told(2, { moneyline: { home: share(70) } }, 'b');
    given(splits, ...streamAfter(consensus, book)).then({
      capturedAt: time(2),
      consensus: { moneyline: { home: share(60) } },
      books: { b: { moneyline: { home: share(70) } } },
    });
  });

  it('given a side with a line, when it is repeated without one, then the line stays; other sides and markets stay too', () => {
    const withLine = told(1, {
      spread: { home: { ...share(60), line: -3 }, away: share(40) },
      total: { over: share(50) },
    });
    const without = told(2, { spread: { home: share(61) } });
    given(splits, ...streamAfter(withLine, without)).thenLike({
      consensus: {
        spread: { home: { ...share(61), line: -3 }, away: share(40) },
        total: { over: share(50) },
      },
    });
    expect(given(splits, ...streamAfter(withLine, without)).document?.consensus).toEqual({
      spread: { home: { ...share(61), line: -3 }, away: share(40) },
      total: { over: share(50) },
    });
  });

  it('given newer splits, when older ones come, then they only fill in missing values', () => {
    const newer = told(3, { moneyline: { home: share(60) } });
    const older = told(1, { moneyline: { home: share(10), away: share(90) } });
    given(splits, ...streamAfter(newer, older)).thenLike({
      capturedAt: time(3),
      consensus: { moneyline: { home: share(60), away: share(90) } },
    });
  });

  it('given splits, when they are repeated later, then the record is compact; a duplicate is not recorded', () => {
    const one = told(1, { total: { over: share(50) } });
    const again = { ...one, at: time(2) };
    given(splitsDecider, ...streamAfter(one))
      .when(again)
      .then([{ type: 'SplitsReconfirmed', version: 1, data: { at: time(2), source: 's', of: 0, ...identity }, meta }]);
    given(splits, ...streamAfter(one, again)).thenLike({ capturedAt: time(2) });
    given(splitsDecider, ...streamAfter(one, again))
      .when(again)
      .thenNothing();
  });
});

describe('statistics', () => {
  it.each([
    ['box', boxDecider, { teams: { home: { points: 1 } } }, { teams: { home: { points: 2 } } }, 'Box'],
    ['lineup', lineupDecider, { teams: { home: { players: [] } } }, { teams: {} }, 'Lineup'],
  ] as readonly [string, StreamDecider, object, object, string][])(
    'records a %s as it was said, a repetition compactly, and nothing twice',
    (_, decider, one, other, name) => {
      const said = (hour: number, content: object) => ({ identity, at: time(hour), source: 's', content });
      const changed = (hour: number, content: object) => ({
        type: `${name}Changed`,
        version: 1,
        data: { at: time(hour), source: 's', content, ...identity },
        meta,
      });
      const reconfirmed = {
        type: `${name}Reconfirmed`,
        version: 1,
        data: { at: time(2), source: 's', of: 0, ...identity },
        meta,
      };
      const stream = [changed(1, one), reconfirmed, changed(4, other), changed(3, one)];
      const facts = [said(1, one), said(2, one), said(4, other), said(3, one)];
      for (const [index, fact] of facts.entries()) {
        given(decider, ...stream.slice(0, index))
          .when(fact)
          .then([stream[index]]);
        given(decider, ...stream)
          .when(fact)
          .thenNothing();
      }
    },
  );
});
