import { type Message, market, NFL, type Outcome, odds, schedule } from '../api/spec/messages.ts';

/** Messages of 1 March 2026 on games of the NFL, by the time of day. */
export const START = '2026-03-01T18:00:00Z';
export const at = (time: string) => ({ at: `2026-03-01T${time}:00Z` });
export const game = (ref: string, sides: readonly [string, string] = [`Home ${ref}`, `Away ${ref}`]): Message =>
  schedule(NFL, ref, sides, START, at('05:00'));

export const twoWay = (home: number, away: number): Outcome[] => [
  ['home', home],
  ['away', away],
];
export const moneyline = (book: string, home: number, away: number, time: string, ref = 'g1'): Message =>
  odds(ref, book, [market('h2h', twoWay(home, away))], at(time));
export const spread = (book: string, point: number, home: number, away: number, time: string, ref = 'g1'): Message =>
  odds(
    ref,
    book,
    [
      market('spreads', [
        ['home', home, point],
        ['away', away, -point],
      ]),
    ],
    at(time),
  );
export const total = (book: string, point: number, over: number, under: number, time: string, ref = 'g1'): Message =>
  odds(
    ref,
    book,
    [
      market('totals', [
        ['over', over, point],
        ['under', under, point],
      ]),
    ],
    at(time),
  );
export const withdrawn = (book: string, key: string, time: string, ref = 'g1'): Message =>
  odds(ref, book, [{ key, complete: true, outcomes: [] }], at(time));

/** An alternate spread and a total of the first half, whose first side has this price. */
export const partLines = (price: number) => [
  market(
    'spreads',
    [
      ['home', price, -7.5],
      ['away', -120, 7.5],
    ],
    { alternate: true },
  ),
  market(
    'totals',
    [
      ['over', price, 23.5],
      ['under', -120, 23.5],
    ],
    { scope: '1H' },
  ),
];
