import { describe, expect, it } from 'vitest';
import { contractsDecider } from '../../commands/contracts-decider.ts';
import { contractKey, isProved, type LeagueContracts } from '../../src/domain/contracts/contract-proof.ts';
import { formatTime, MINUTE, parseTime } from '../../src/domain/primitives/time.ts';
import { bindKalshiMarket } from '../../src/sources/kalshi/bind-market.ts';
import { bindPolymarketMarket, gameOfEvent } from '../../src/sources/polymarket/bind-market.ts';

/**
 * A trial with doubles of both protocols: 500 contracts of five leagues, 100 of them inverted. Their prices are observed
 * before and during play, and they are settled. Everything is generated; no text of a provider is in it.
 */
const CONTRACTS = 500;
const DAY = parseTime('2026-11-30T00:00:00Z')!;

/** A linear congruential generator (Numerical Recipes): the trial is the same each time. */
function randomFrom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

const LEAGUES = [
  {
    id: 1,
    slug: 'nfl',
    series: 'KXNFLGAME',
    clubs: [
      ['BUF', 'Buffalo'],
      ['DEN', 'Denver'],
    ],
  },
  {
    id: 2,
    slug: 'nba',
    series: 'KXNBAGAME',
    clubs: [
      ['LAL', 'Los Angeles L'],
      ['GSW', 'Golden State'],
    ],
  },
  {
    id: 3,
    slug: 'mlb',
    series: 'KXMLBGAME',
    clubs: [
      ['CWS', 'Chicago WS'],
      ['NYY', 'New York Y'],
    ],
  },
  {
    id: 4,
    slug: 'nhl',
    series: 'KXNHLGAME',
    clubs: [
      ['LA', 'Los Angeles'],
      ['NYR', 'New York R'],
    ],
  },
  {
    id: 11,
    slug: 'epl',
    series: 'KXEPLGAME',
    clubs: [
      ['ARS', 'Arsenal'],
      ['CFC', 'Chelsea'],
    ],
  },
] as const;

/** How a contract is inverted: three ways that its texts betray, and one that only prices and results do. */
type Inversion = 'other_name' | 'to_lose' | 'other_rules' | 'swapped_tokens';
const INVERSIONS: readonly Inversion[] = ['other_name', 'to_lose', 'other_rules', 'swapped_tokens'];

interface Trialled {
  readonly league: (typeof LEAGUES)[number];
  readonly venue: 'kalshi' | 'polymarket';
  readonly id: string;
  readonly inversion: Inversion | undefined;
  /** Undefined if it was bound to nothing. */
  readonly bound: { readonly series: string; readonly isFirst: boolean } | undefined;
  readonly day: number;
}

function kalshi(league: (typeof LEAGUES)[number], n: number, inversion: Inversion | undefined): Trialled {
  const own = n % 2;
  const [[code, name], [otherCode, other]] = [league.clubs[own]!, league.clubs[1 - own]!];
  const [first, second] = league.clubs;
  const day = formatTime(DAY + n * 24 * 60 * MINUTE);
  const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
  const month = months[Number(day.slice(5, 7)) - 1]!;
  const id = `${league.series}-${day.slice(2, 4)}${month}${day.slice(8, 10)}${first[0]}${second[0]}-${code}`;
  const winner = inversion === 'other_rules' ? other : name;
  const verb = inversion === 'to_lose' ? 'loses' : 'wins';
  const market = {
    ticker: id,
    market_type: 'binary',
    status: 'active',
    yes_sub_title: inversion === 'other_name' ? other : name,
    rules_primary: `If ${winner} ${verb} the ${first[1]} ${league.slug === 'epl' ? 'vs' : 'at'} ${second[1]} professional game, then the market resolves to Yes.`,
    occurrence_datetime: `${day.slice(0, 10)}T20:00:00Z`,
  };
  const found = bindKalshiMarket(market);
  expect(otherCode).not.toBe(code);
  const isFirst = 'unbound' in found ? undefined : (found.side.outcome === 'home') === (league.slug === 'epl');
  const bound = 'unbound' in found ? undefined : { series: found.series, isFirst: isFirst! };
  if (bound && inversion !== 'swapped_tokens') expect(bound.isFirst).toBe(own === 0);
  return { league, venue: 'kalshi', id, inversion, bound, day: n };
}

function polymarket(league: (typeof LEAGUES)[number], n: number, inversion: Inversion | undefined): Trialled {
  const [home, away] = ['Homers', 'Visitors'];
  const start = formatTime(DAY + n * 24 * 60 * MINUTE);
  const isSoccer = league.slug === 'epl';
  const own = n % 2 === 0 ? home : away;
  const other = own === home ? away : home;
  const event = gameOfEvent({
    slug: `${league.slug}-hom-vis-${n}`,
    startTime: start,
    teams: [
      { name: home, ordering: 'home' },
      { name: away, ordering: 'away' },
    ],
  })!;
  const tokens = [`${league.slug}-${n}-a`, `${league.slug}-${n}-b`];
  const question = isSoccer
    ? `Will ${own} ${inversion === 'to_lose' ? 'lose' : 'win'} on that day?`
    : `${home} vs. ${away}`;
  const market = {
    sportsMarketType: 'moneyline',
    outcomes: isSoccer ? '["Yes","No"]' : JSON.stringify([own, other]),
    clobTokenIds: JSON.stringify(tokens),
    question: inversion === 'to_lose' && !isSoccer ? `${own} to lose?` : question,
    groupItemTitle: isSoccer ? (inversion === 'other_name' || inversion === 'other_rules' ? other : own) : undefined,
    description: isSoccer
      ? undefined
      : `If ${inversion === 'other_rules' || inversion === 'other_name' ? other : own} win, the market will resolve to "${own}".`,
  };
  const found = bindPolymarketMarket(market, event);
  const bound = 'unbound' in found ? undefined : { series: found.series, isFirst: found.side.outcome === 'home' };
  return { league, venue: 'polymarket', id: tokens[0]!, inversion, bound, day: n };
}

/** Plays every contract, and notes each moment at which it is proved. */
function play(seed: number) {
  const random = randomFrom(seed);
  const states = new Map<number, LeagueContracts>(LEAGUES.map(({ id }) => [id, contractsDecider.initial()]));
  const all = Array.from({ length: CONTRACTS }, (_, n) => {
    const league = LEAGUES[n % LEAGUES.length]!;
    const inversion = n % 5 === Math.floor(n / 5) % 5 ? INVERSIONS[Math.floor(n / 25) % 4] : undefined;
    return (Math.floor(n / 5) % 2 === 0 ? kalshi : polymarket)(league, n, inversion);
  });
  const shown = new Set<string>();
  for (const contract of all) {
    const { league, venue, id, inversion, bound, day } = contract;
    if (!bound) continue;
    const begins = DAY + day * 24 * 60 * MINUTE;
    let chance = 0.2 + 0.6 * random();
    const isInverted = inversion === 'swapped_tokens';
    const report = (minute: number, content: object) => {
      const state = states.get(league.id)!;
      const command: any = {
        at: formatTime(begins + minute * MINUTE),
        source: venue,
        leagueId: league.id,
        eventId: day + 1,
        origin: {},
        content: {
          venue,
          contract: id,
          series: bound.series,
          market: 'h2h',
          outcome: 'home',
          by_name: true,
          ...content,
        },
      };
      for (const event of contractsDecider.decide(command, state) as any[]) contractsDecider.evolve(state, event);
      if (isProved(state, contractKey(venue, id))) shown.add(id);
    };
    report(0, {});
    // Prices every five minutes, and from the start of play on a walk to one of both ends.
    for (let step = 0; step < 40; step++) {
      if (step > 10) chance = Math.min(0.98, Math.max(0.02, chance + (random() < chance ? 1 : -1) * 0.06 * random()));
      const noise = (random() - 0.5) * 0.015;
      const price = Math.min(0.99, Math.max(0.01, (isInverted ? 1 - chance : chance) + noise));
      report(5 * step, { seen: { price, own: chance, other: 1 - chance } });
    }
    const hasWon = random() < chance;
    const yes = hasWon !== isInverted;
    contract.bound && report(300, { result: yes ? 'yes' : 'no', settled: yes === hasWon ? 'right' : 'wrong' });
  }
  return { all, shown };
}

describe('the trial of 500 contracts (doubles of both protocols)', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'given 100 inverted ones, then none ever shows, and of the others at most 2 % wait (seed %i)',
    (seed) => {
      const { all, shown } = play(seed);
      const inverted = all.filter(({ inversion }) => inversion !== undefined);
      const honest = all.filter(({ inversion }) => inversion === undefined);
      expect(inverted).toHaveLength(100);
      expect(
        inverted.filter(({ bound }) => bound !== undefined).every(({ inversion }) => inversion === 'swapped_tokens'),
      ).toBe(true);
      expect(inverted.filter(({ bound }) => bound !== undefined).length).toBeGreaterThan(15);
      expect(inverted.filter(({ id }) => shown.has(id))).toEqual([]);
      expect(honest.filter(({ id }) => !shown.has(id)).length).toBeLessThanOrEqual(0.02 * honest.length);
    },
  );
});
