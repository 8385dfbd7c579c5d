import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ContractCommand, contractsDecider } from '../../../commands/contracts-decider.ts';
import {
  applyReport,
  contractKey,
  isProved,
  leanOf,
  MAX_CONTRACTS,
  newLeagueContracts,
  SETTLED_NEEDED,
} from '../../../src/domain/contracts/contract-proof.ts';
import { formatTime, MINUTE, parseTime } from '../../../src/domain/primitives/time.ts';
import { cases } from '../../support/cases.ts';
import { given, stateOf } from '../../support/given.ts';

const BEGINNING = parseTime('2026-11-30T12:00:00Z')!;
type Content = ContractCommand['content'];

const report = (minute: number, contract: string, more: Partial<Content> = {}): ContractCommand => ({
  at: formatTime(BEGINNING + minute * MINUTE),
  source: 'kalshi',
  leagueId: 2,
  eventId: 1,
  origin: { ref: 'g' },
  content: {
    venue: 'kalshi',
    contract,
    series: 'S',
    market: 'h2h',
    outcome: 'home',
    by_name: true,
    ...more,
  } as Content,
});
const recorded = (reports: readonly ContractCommand[]) => {
  const events: any[] = [];
  for (const one of reports) events.push(...given(contractsDecider, ...events).when(one).events);
  return events;
};
const proved = (contract: string, ...reports: readonly ContractCommand[]): boolean =>
  isProved(stateOf(contractsDecider, ...recorded(reports)) as any, contractKey('kalshi', contract));

const agrees = { price: 0.69, own: 0.7, other: 0.3 };
const inverted = { price: 0.31, own: 0.7, other: 0.3 };
const settled = (count: number, how: 'right' | 'wrong' = 'right', from = 0) =>
  Array.from({ length: count }, (_, n) => report(n, `old-${from + n}`, { settled: how, result: 'yes' }));

describe('the proof of a side by price', () => {
  it('given three observations over ten minutes, when each speaks for the side, then it is proved', () => {
    expect(proved('a', ...[0, 5, 10].map((n) => report(n, 'a', { seen: agrees })))).toBe(true);
  });

  it('given two of them, or three within less than ten minutes, then it is not proved', () => {
    expect(proved('a', ...[0, 10].map((n) => report(n, 'a', { seen: agrees })))).toBe(false);
    expect(proved('a', ...[0, 4, 9].map((n) => report(n, 'a', { seen: agrees })))).toBe(false);
    expect(proved('a', ...[0, 4, 9, 10].map((n) => report(n, 'a', { seen: agrees })))).toBe(true);
  });

  it('given a proved contract whose event is merged into another one, then its price proves it anew, and its end stays', () => {
    const seen = [0, 5, 10].map((n) => report(n, 'a', { seen: agrees }));
    const merged = (one: ContractCommand) => ({ ...one, eventId: 2 });
    const inOther = [20, 25, 30].map((n) => merged(report(n, 'a', { seen: agrees, outcome: 'away' })));
    expect(proved('a', ...seen, inOther[0]!)).toBe(false);
    expect(proved('a', ...seen, ...inOther)).toBe(true);
    const early = report(15, 'a', { result: 'yes' });
    const state = stateOf(contractsDecider, ...recorded([...seen, early, inOther[0]!])) as any;
    expect(state.contracts.get('kalshi a')).toMatchObject({
      ...{ place: { eventId: 2 }, bet: { outcome: 'away' }, unjudged: 'yes', byPrice: null },
    });
  });

  it('given fair prices less than 15 points apart, then no number of observations proves anything', () => {
    const near = { price: 0.57, own: 0.57, other: 0.43 };
    expect(proved('a', ...[0, 5, 10, 15].map((n) => report(n, 'a', { seen: near })))).toBe(false);
    expect(
      proved('a', ...[0, 5, 10, 15].map((n) => report(n, 'a', { seen: { ...near, own: 0.575, other: 0.425 } }))),
    ).toBe(true);
  });

  it('given a price that is nearer to its side, but not three times, then it proves nothing', () => {
    const between = (price: number) => [0, 5, 10].map((n) => report(n, 'a', { seen: { price, own: 0.7, other: 0.3 } }));
    expect(proved('a', ...between(0.59))).toBe(false);
    expect(proved('a', ...between(0.6))).toBe(true);
  });

  it('given an observation that speaks for the other side between, then three more are needed', () => {
    const mixed = [
      report(0, 'a', { seen: agrees }),
      report(5, 'a', { seen: inverted }),
      report(10, 'a', { seen: agrees }),
    ];
    expect(proved('a', ...mixed, report(15, 'a', { seen: agrees }))).toBe(false);
    expect(proved('a', ...mixed, report(15, 'a', { seen: agrees }), report(20, 'a', { seen: agrees }))).toBe(true);
  });

  it('given any observations, when none of three is nearer to its own side, then it is never proved', () => {
    const seen = fc.record({
      price: fc.double({ min: 0, max: 1, noNaN: true }),
      own: fc.double({ min: 0, max: 1, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(seen, { maxLength: 20 }), (all) => {
        const observations = all.map(({ price, own }) => ({ price, own, other: 1 - own }));
        const far = observations.filter((one) => leanOf(one) !== 'own');
        expect(proved('a', ...far.map((one, n) => report(5 * n, 'a', { seen: one })))).toBe(false);
      }),
      { numRuns: cases(2000, 100) },
    );
  });

  it('given any observations, when they come again, then nothing is recorded, and what is recorded has a bound', () => {
    const seen = fc.record({ price: fc.constantFrom(0.3, 0.5, 0.52, 0.7), own: fc.constantFrom(0.3, 0.5, 0.53, 0.7) });
    fc.assert(
      fc.property(fc.array(seen, { maxLength: 80 }), (all) => {
        const reports = all.map(({ price, own }, n) => report(5 * n, 'a', { seen: { price, own, other: 1 - own } }));
        const events = recorded(reports);
        expect(events.length).toBeLessThanOrEqual(41);
        const last = reports.at(-1);
        if (last && events.length > 0)
          given(contractsDecider, ...events)
            .when(last)
            .thenNothing();
      }),
      { numRuns: cases(300, 30) },
    );
  });
});

describe('the proof of a side by names', () => {
  it('given 20 settled contracts of the series that came out right, then its names prove sides', () => {
    expect(proved('a', ...settled(SETTLED_NEEDED - 1), report(30, 'a'))).toBe(false);
    expect(proved('a', ...settled(SETTLED_NEEDED), report(30, 'a'))).toBe(true);
    expect(proved('a', ...settled(SETTLED_NEEDED), report(30, 'a', { by_name: false }))).toBe(false);
    expect(proved('a', ...settled(SETTLED_NEEDED), report(30, 'a', { series: 'T' }))).toBe(false);
  });

  it('given a contract that is settled the other way, then it and its series lose the proof by names', () => {
    const known = [...settled(SETTLED_NEEDED), report(30, 'a'), report(31, 'b')];
    const wrong = report(40, 'b', { settled: 'wrong', result: 'no' });
    expect(proved('a', ...known, wrong)).toBe(false);
    expect(proved('b', ...known, wrong)).toBe(false);
    expect(proved('a', ...known, wrong, ...settled(SETTLED_NEEDED, 'right', 100))).toBe(true);
  });

  it('given a proof by price, when the contract is settled the other way, then it is proved no more', () => {
    const known = [0, 5, 10].map((n) => report(n, 'a', { seen: agrees }));
    expect(proved('a', ...known, report(40, 'a', { settled: 'wrong', result: 'no' }))).toBe(false);
  });

  it('given a price that does not speak for the side, then names are no proof', () => {
    const known = settled(SETTLED_NEEDED);
    const slight = { price: 0.53, own: 0.47, other: 0.53 };
    expect(proved('a', ...known, report(30, 'a', { seen: slight }))).toBe(false);
    expect(proved('a', ...known, report(30, 'a', { seen: { price: 0.5, own: 0.5, other: 0.5 } }))).toBe(false);
    expect(proved('a', ...known, report(30, 'a', { seen: { price: 0.47, own: 0.47, other: 0.53 } }))).toBe(true);
  });

  it('given a name that three prices refute, then the names of the series prove nothing', () => {
    const lie = [40, 45, 50].map((n) => report(n, 'b', { seen: inverted }));
    expect(proved('a', ...settled(SETTLED_NEEDED), report(30, 'a'), ...lie)).toBe(false);
  });
});

describe('what is remembered of contracts', () => {
  it('given more contracts than a league has, then the one that was reported longest ago waits again', () => {
    const state = newLeagueContracts();
    const place = { eventId: 1, venue: 'kalshi', key: 'h2h', scope: 'match' } as const;
    const bet = { market: 'h2h', outcome: 'home' } as const;
    for (let n = 0; n <= MAX_CONTRACTS; n++)
      applyReport(
        state,
        { key: `kalshi ${n}`, series: `S${n}`, byName: true, place, bet },
        { at: n, settled: 'right' },
      );
    expect(state.contracts.size).toBe(MAX_CONTRACTS);
    expect(state.contracts.has('kalshi 0')).toBe(false);
    expect(state.right.size).toBeLessThanOrEqual(200);
  });
});
