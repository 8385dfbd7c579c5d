import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { contractsDecider } from '../../commands/contracts-decider.ts';
import { contractKey, isProved, type LeagueContracts } from '../../src/domain/contracts/contract-proof.ts';
import { formatTime, MINUTE, parseTime } from '../../src/domain/primitives/time.ts';
import { bindKalshiMarket } from '../../src/sources/kalshi/bind-market.ts';
import { bindPolymarketMarket, gameOfEvent } from '../../src/sources/polymarket/bind-market.ts';
import { lakers } from './kalshi/kalshi-double.ts';
import { moneyline, nbaEvent } from './polymarket/polymarket-double.ts';
import { KALSHI_TURNS, type Kind, POLYMARKET_TURNS, type Turn } from './turned-texts.ts';

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

type League = (typeof LEAGUES)[number];
type Venue = 'kalshi' | 'polymarket';
/** Of these one in four has its tokens or tickers swapped, which only prices and results betray. */
type Inversion = 'texts' | 'swapped_tokens';

interface Trialled {
  readonly league: League;
  readonly venue: Venue;
  readonly id: string;
  readonly inversion: Inversion | undefined;
  /** Undefined if it was bound to nothing. */
  readonly bound: { readonly series: string; readonly key: Kind } | undefined;
  readonly day: number;
}

/** Of each list the next one. */
function inTurn() {
  const used = new Map<readonly Turn[], number>();
  return (turns: readonly Turn[]): Turn => {
    const index = used.get(turns) ?? 0;
    used.set(turns, index + 1);
    return turns[index % turns.length]!;
  };
}

interface Given {
  readonly league: League;
  readonly kind: Kind;
  readonly n: number;
  readonly inversion: Inversion | undefined;
  readonly next: ReturnType<typeof inTurn>;
}

const UNITS: Readonly<Record<string, string>> = { mlb: 'runs', nhl: 'goals', epl: 'goals' };
/** The wordings of honest rules, in turns. */
const oneOf = (n: number, wordings: readonly string[]): string => wordings[n % wordings.length]!;

function kalshi({ league, kind, n, inversion, next }: Given): Trialled {
  const own = Math.floor(n / 3) % 2;
  const [[code, name], [, other]] = [league.clubs[own]!, league.clubs[1 - own]!];
  const [first, second] = league.clubs;
  const day = formatTime(DAY + n * 24 * 60 * MINUTE);
  const months = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
  const month = months[Number(day.slice(5, 7)) - 1]!;
  const line = 2.5 + (n % 4);
  const series = league.series.replace('GAME', { h2h: 'GAME', spreads: 'SPREAD', totals: 'TOTAL' }[kind]);
  const suffix = { h2h: code, spreads: `${code}${Math.ceil(line)}`, totals: String(Math.ceil(line)) }[kind];
  const id = `${series}-${day.slice(2, 4)}${month}${day.slice(8, 10)}${first[0]}${second[0]}-${suffix}`;
  const date = `${month[0]}${month.slice(1).toLowerCase()} ${Number(day.slice(8, 10))}, ${day.slice(0, 4)}`;
  const game = `the ${first[1]} ${league.slug === 'epl' ? 'vs' : 'at'} ${second[1]} professional game${n % 2 ? ` originally scheduled for ${date}` : ''}`;
  const unit = UNITS[league.slug] ?? 'points';
  const yes = {
    h2h: name,
    spreads: `${name} wins by over ${line} ${unit}`,
    totals: `Over ${line} ${unit} scored`,
  }[kind];
  const condition = {
    h2h: `${name} wins ${game}`,
    spreads: oneOf(n, [
      `${name} wins ${game} by more than ${line} ${unit}`,
      `${name} wins by more than ${line} ${unit} in ${game}`,
    ]),
    totals: oneOf(n, [
      `the teams in ${game} collectively score more than ${line} ${unit}`,
      `${first[1]} and ${second[1]} collectively score more than ${line} ${unit} in ${game}`,
    ]),
  }[kind];
  const market = {
    ticker: id,
    market_type: 'binary',
    status: 'active',
    yes_sub_title: yes,
    rules_primary: `If ${condition}, then the market resolves to Yes.`,
    occurrence_datetime: `${day.slice(0, 10)}T20:00:00Z`,
    ...(kind === 'h2h' ? {} : { floor_strike: line }),
    ...(inversion === 'texts' ? next(KALSHI_TURNS[kind])({ own: name, other, game, line, unit }) : {}),
  };
  const found = bindKalshiMarket(market);
  if (!('unbound' in found) && kind !== 'totals')
    expect((found.side.outcome === 'home') === (league.slug === 'epl')).toBe(own === 0);
  const bound = 'unbound' in found ? undefined : { series: found.series, key: found.key };
  return { league, venue: 'kalshi', id, inversion, bound, day: n };
}

function polymarket({ league, kind, n, inversion, next }: Given): Trialled {
  const [home, away] = ['Homers', 'Visitors'];
  const start = formatTime(DAY + n * 24 * 60 * MINUTE);
  const isSoccer = league.slug === 'epl' && kind === 'h2h';
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
  const tokens = [`${league.slug}-${n}-${kind}-a`, `${league.slug}-${n}-${kind}-b`];
  const line = 2.5 + (n % 4);
  const unit = UNITS[league.slug] ?? 'points';
  const texts = {
    h2h: {
      outcomes: JSON.stringify(isSoccer ? ['Yes', 'No'] : [own, other]),
      question: isSoccer ? `Will ${own} win on ${n % 4 < 2 ? 'that day' : start.slice(0, 10)}?` : `${home} vs. ${away}`,
      description: isSoccer
        ? oneOf(n, [
            '',
            `If ${own} wins, this market will resolve to "Yes". Otherwise, this market will resolve to "No".`,
          ])
        : `If ${own} win, the market will resolve to "${own}". If ${other} win, the market will resolve to "${other}".`,
      groupItemTitle: isSoccer ? own : undefined,
    },
    spreads: {
      outcomes: JSON.stringify([own, other]),
      line: -line,
      question: `Spread: ${own} (-${line})`,
      description: `This market will resolve to "${own}" if the ${own} win the game by ${line + 0.5} or more ${unit}. Otherwise, this market will resolve to "${other}".`,
    },
    totals: {
      outcomes: JSON.stringify(['Over', 'Under']),
      line,
      question: oneOf(n, [`${home} vs. ${away}: O/U ${line}`, `O/U ${line}`]),
      description: `This market will resolve to "Over" if the ${home} and ${away} combine to score ${line + 0.5} or more ${unit}.`,
    },
  }[kind];
  const turns = POLYMARKET_TURNS[isSoccer ? 'soccer' : kind];
  const market = {
    sportsMarketType: kind === 'h2h' ? 'moneyline' : kind,
    clobTokenIds: JSON.stringify(tokens),
    ...texts,
    ...(inversion === 'texts' ? next(turns)({ own, other, game: 'the game', line, unit }) : {}),
  };
  const found = bindPolymarketMarket(market, event);
  if (!('unbound' in found) && kind !== 'totals') expect(found.side.outcome === 'home').toBe(own === home);
  const bound = 'unbound' in found ? undefined : { series: found.series, key: found.key };
  return { league, venue: 'polymarket', id: tokens[0]!, inversion, bound, day: n };
}

/** A generated market: of each league, venue and kind; one in five is inverted. */
function trialled(n: number, next: ReturnType<typeof inTurn>): Trialled {
  const league = LEAGUES[n % LEAGUES.length]!;
  const round = Math.floor(n / LEAGUES.length);
  const venue: Venue = round % 2 === 0 ? 'kalshi' : 'polymarket';
  const inversion: Inversion | undefined =
    n % 5 === round % 5 ? (Math.floor(n / 25) % 4 === 3 ? 'swapped_tokens' : 'texts') : undefined;
  // Kalshi's series of soccer have no lines here.
  const kind: Kind =
    venue === 'kalshi' && league.slug === 'epl' ? 'h2h' : (['h2h', 'spreads', 'totals'] as const)[(round >> 1) % 3]!;
  const given = { league, kind, n, inversion, next };
  return venue === 'kalshi' ? kalshi(given) : polymarket(given);
}

/** Plays every contract, and notes each moment at which it is proved. */
function play(seed: number) {
  const random = randomFrom(seed);
  const states = new Map<number, LeagueContracts>(LEAGUES.map(({ id }) => [id, contractsDecider.initial()]));
  const next = inTurn();
  const all = Array.from({ length: CONTRACTS }, (_, n) => trialled(n, next));
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
          market: bound.key,
          outcome: bound.key === 'totals' ? 'over' : 'home',
          ...(bound.key === 'h2h' ? {} : { point: 2.5 }),
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

describe('texts that are turned around', () => {
  it('given each of them in each league, then none is bound, and of the honest ones all are', () => {
    const wrong: unknown[] = [];
    for (const league of LEAGUES) {
      for (const [kind, turns] of Object.entries(KALSHI_TURNS) as [Kind, readonly Turn[]][]) {
        if (league.slug === 'epl' && kind !== 'h2h') continue;
        for (const turn of [undefined, ...turns]) {
          const inversion: Inversion | undefined = turn && 'texts';
          const { bound } = kalshi({ league, kind, n: 7, inversion, next: () => turn! });
          if ((bound === undefined) !== (turn !== undefined)) wrong.push(['kalshi', league.slug, kind, String(turn)]);
        }
      }
      for (const kind of ['h2h', 'spreads', 'totals'] as const) {
        for (const turn of [
          undefined,
          ...POLYMARKET_TURNS[league.slug === 'epl' && kind === 'h2h' ? 'soccer' : kind],
        ]) {
          const inversion: Inversion | undefined = turn && 'texts';
          const { bound } = polymarket({ league, kind, n: 7, inversion, next: () => turn! });
          if ((bound === undefined) !== (turn !== undefined))
            wrong.push(['polymarket', league.slug, kind, String(turn)]);
        }
      }
    }
    expect(wrong).toEqual([]);
  });
});

describe('honest texts with one word more', () => {
  /** Words that nobody has chosen for this: those of a page of the docs. */
  const page = readFileSync(new URL('../../docs/exchanges.md', import.meta.url), 'utf8');
  const words = [...new Set(page.match(/\b[A-Za-z]{2,}\b/g))];
  /** They change nothing: a name may be whole or have its article. */
  const HARMLESS = /^(?:the|at|then|warriors)$/i;
  const places = (text: string): readonly (readonly [string, string])[] =>
    [...text.matchAll(/ /g)].map(({ index }) => [text.slice(0, index), text.slice(index)]);
  const withWords = (text: string, isBound: (text: string) => boolean): readonly string[] => {
    expect(isBound(text)).toBe(true);
    return places(text).flatMap(([before, after], place) =>
      words
        .filter((word, index) => (index + place) % 3 === 0 && !HARMLESS.test(word))
        .map((word) => `${before} ${word}${after}`)
        .filter(isBound),
    );
  };

  it('given a word of another text anywhere in one of Kalshi, then nothing is bound', () => {
    const isBound = (rules_primary: string) =>
      !('unbound' in bindKalshiMarket(lakers({ rules_primary, yes_sub_title: 'Los Angeles L' })));
    const rules = 'If Los Angeles L wins the Los Angeles L at Golden State game, then the market resolves to Yes.';
    expect(withWords(rules, isBound)).toEqual([]);
  });

  it('given a word of another text anywhere in one of Polymarket, then nothing is bound', () => {
    const event = gameOfEvent(nbaEvent([]))!;
    const isBound = (more: Record<string, string>) => !('unbound' in bindPolymarketMarket(moneyline(more), event));
    expect(withWords('Lakers vs. Warriors', (question) => isBound({ question }))).toEqual([]);
    const description = 'If the Lakers win, the market will resolve to "Lakers".';
    expect(withWords(description, (rules) => isBound({ description: rules }))).toEqual([]);
  });
});

describe('the trial of 500 contracts (doubles of both protocols)', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])(
    'given 100 inverted ones, then none ever shows, and of the others at most 2 % wait (seed %i)',
    (seed) => {
      const { all, shown } = play(seed);
      const inverted = all.filter(({ inversion }) => inversion !== undefined);
      const honest = all.filter(({ inversion }) => inversion === undefined);
      expect(inverted).toHaveLength(100);
      const bound = inverted.filter((contract) => contract.bound !== undefined);
      expect(bound.filter(({ inversion }) => inversion !== 'swapped_tokens')).toEqual([]);
      expect(bound.length).toBeGreaterThan(15);
      expect(honest.filter((contract) => contract.bound === undefined)).toEqual([]);
      for (const kind of ['h2h', 'spreads', 'totals'])
        expect(honest.filter((contract) => contract.bound?.key === kind).length).toBeGreaterThan(90);
      expect(inverted.filter(({ id }) => shown.has(id))).toEqual([]);
      expect(honest.filter(({ id }) => !shown.has(id)).length).toBeLessThanOrEqual(0.02 * honest.length);
    },
  );
});
