import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SportSlug } from '../../../src/domain/catalogue/catalogue.ts';
import { type BacktestLine, runBacktest } from '../../../src/forecasting/track-record/backtest-log.ts';
import { modelOf } from '../../../src/intelligence/models/index.ts';
import { roundProbabilities } from '../../../src/intelligence/prices/rounding.ts';
import { type GameKnownAt, walkForward } from '../../../src/intelligence/walk-forward.ts';
import type { Message } from '../../api/spec/messages.ts';
import { gamesOf, numbersOf, resultOf } from '../../intelligence/seasons.ts';
import { cases } from '../../support/cases.ts';
import { endOf, HOUR, iso, logOf, messagesOf, pricesOf } from './game-messages.ts';

const LEAGUES = [
  { sport: 'nfl', league: 'nfl' },
  { sport: 'soccer', league: 'epl' },
] as const;
const GAMES = 190;
const weightOf = (book: string) => (book === 'pinnacle' ? 3 : 0);

/** What the command prints, and its lines of games. */
async function judged(sport: SportSlug, messages: readonly Message[], more = {}) {
  const world = await logOf(messages);
  const games: BacktestLine[] = [];
  const asked = { sport, from: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY, weightOf, ...more };
  try {
    const lines = await runBacktest(world.log, { ...asked, onGame: (line) => void games.push(line) });
    return { lines, games };
  } finally {
    await world.close();
  }
}

/** Ids follow the order of arrival. */
const withoutIds = (games: readonly BacktestLine[]) => games.map(({ event_id: _, ...line }) => line);

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = numbersOf(seed);
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

describe.each(LEAGUES)('a backtest of $league', ({ sport, league }) => {
  const season = (seed: number) => gamesOf(sport, league, GAMES, numbersOf(seed));

  /** The forecasts of each start with a hundred results before it. */
  const walked = (games: readonly GameKnownAt[]) =>
    new Map(
      [...walkForward(games, (name) => modelOf(sport, name))].flatMap(({ game, forecast, earlier }) => {
        const { home, draw, away } = forecast;
        const told = roundProbabilities(draw === null ? [home, away] : [home, away, draw]);
        return earlier < 100 ? [] : [[iso(game.startsAt), told] as const];
      }),
    );
  it('evaluates first halves if asked, with the forecasts of a walk forward, and leaves the rest unchanged', async () => {
    const games = season(2);
    const halves = games.flatMap((game, i) => {
      const quoted = pricesOf(sport, game, i) as Message & { markets: object[] };
      return [{ ...quoted, bookmaker: 'circa', markets: quoted.markets.map((one) => ({ ...one, scope: '1H' })) }];
    });
    const messages = [...messagesOf(sport, games), ...halves];
    const { lines, games: told } = await judged(sport, messages, { scopes: true });
    const plain = await judged(sport, messages);
    expect(lines.slice(0, 3)).toEqual(plain.lines);
    expect(told.filter(({ market }) => !market.startsWith('first'))).toEqual(plain.games);
    expect(lines.slice(3).map(({ market }) => market)).toEqual(
      ['h2h', 'spreads', 'totals'].map((market) => `first_half_${market}`),
    );
    expect(lines[3]!.n).toBeGreaterThan(30);
    const expected = [...walkForward(games, (name) => modelOf(sport, name), true)].flatMap(({ game, scope }) => {
      const isTied = game.scope!.home === game.scope!.away;
      if (scope === null || (isTied && sport !== 'soccer')) return [];
      const { home, draw, away } = scope;
      return [[iso(game.startsAt), roundProbabilities(draw === null ? [home, away] : [home, away, draw])]];
    });
    const first = told.filter(({ market }) => market === 'first_half_h2h');
    expect(first.map(({ starts_at, probabilities }) => [starts_at, Object.values(probabilities)])).toEqual(expected);
    const winnerOf = new Map(games.map(({ startsAt, scope }) => [iso(startsAt), Math.sign(scope!.home - scope!.away)]));
    const outcomes = { home: 1, draw: 0, away: -1 } as Record<string, number>;
    for (const { starts_at, outcome } of first) expect(outcomes[outcome]).toBe(winnerOf.get(starts_at));
  });

  const moneylines = (games: readonly BacktestLine[]) =>
    games
      .filter(({ market }) => market === 'h2h')
      .map((line) => [line.starts_at, Object.values(line.probabilities)] as const);

  it('has the forecasts of a walk forward through the same games', async () => {
    const games = season(1);
    const { games: told } = await judged(sport, messagesOf(sport, games));
    const expected = walked(games);
    const settled = games.filter(
      ({ startsAt, winner }) => expected.has(iso(startsAt)) && (winner || sport === 'soccer'),
    );
    expect(moneylines(told)).toEqual(settled.map(({ startsAt }) => [iso(startsAt), expected.get(iso(startsAt))]));
    expect(settled.length).toBeGreaterThan(70);
  });

  it('prints the same whatever the order of arrival, corrections included', async () => {
    await fc.assert(
      fc.asyncProperty(fc.nat(), fc.nat(), async (seed, order) => {
        const games = season(seed);
        const random = numbersOf(seed + 1);
        const corrections = [20, 120, 150].flatMap((i) => {
          const game = { ...games[i]!, ...resultOf(sport, 0, random) };
          return endOf(sport, game, i, game.knownAt + 30 * HOUR);
        });
        const messages = [...messagesOf(sport, games), ...corrections];
        const [one, other] = [await judged(sport, messages), await judged(sport, shuffled(messages, order))];
        expect(JSON.stringify(other.lines)).toBe(JSON.stringify(one.lines));
        expect(withoutIds(other.games)).toEqual(withoutIds(one.games));
      }),
      { numRuns: cases(5, 1) },
    );
  }, 120_000);

  it('has the same forecasts of earlier games when all later facts are scrambled', async () => {
    const games = season(3);
    const cut = games[150]!.startsAt;
    const random = numbersOf(4);
    const scrambled = games.map((game) => (game.knownAt >= cut ? { ...game, ...resultOf(sport, 2, random) } : game));
    const until = ({ games: told }: { games: readonly BacktestLine[] }) =>
      new Map(moneylines(told).filter(([start]) => Date.parse(start) <= cut));
    const [before, after] = [
      until(await judged(sport, messagesOf(sport, games))),
      until(await judged(sport, messagesOf(sport, scrambled))),
    ];
    // A scrambled game may end in a tie, which is not evaluated.
    const both = [...before.keys()].filter((start) => after.has(start));
    expect(both.length).toBeGreaterThan(40);
    for (const start of both) expect(after.get(start)).toEqual(before.get(start));
  });

  it('uses the first result until it is corrected, then the correction in its place', async () => {
    const right = season(6);
    const wrong = right.with(110, { ...right[110]!, ...resultOf(sport, -4, numbersOf(9)) });
    const at = right[140]!.startsAt;
    const told = await judged(sport, [...messagesOf(sport, wrong), ...endOf(sport, right[110]!, 110, at)]);
    const [ifRight, ifWrong] = [walked(right), walked(wrong)];
    const compared = moneylines(told.games).map(([start, probabilities]) => {
      expect(probabilities).toEqual((Date.parse(start) <= at ? ifWrong : ifRight).get(start));
      return start;
    });
    expect(compared.length).toBeGreaterThan(60);
    expect(compared.some((start) => ifRight.get(start)!.join() !== ifWrong.get(start)!.join())).toBe(true);
    // The outcome counts as corrected.
    const line = told.games.find(
      ({ starts_at, market }) => starts_at === iso(right[110]!.startsAt) && market === 'h2h',
    );
    if (right[110]!.winner) expect(line?.outcome).toBe(right[110]!.winner);
  });

  it('knows a late result by the time of its observation', async () => {
    const games = season(7);
    const messages = messagesOf(sport, games);
    const [ends, others] = [messages.filter(isOfGame('g105')), messages.filter((one) => !isOfGame('g105')(one))];
    expect(withoutIds((await judged(sport, [...others, ...ends])).games)).toEqual(
      withoutIds((await judged(sport, messages)).games),
    );
  });

  it('evaluates only the games of the dates, and learns from all', async () => {
    const messages = messagesOf(sport, season(8));
    const all = await judged(sport, messages);
    const starts = [...new Set(all.games.map(({ starts_at }) => Date.parse(starts_at)))];
    const [from, before] = [starts[20]!, starts[60]!];
    const some = await judged(sport, messages, { from, before });
    const within = ({ starts_at }: BacktestLine) => Date.parse(starts_at) >= from && Date.parse(starts_at) < before;
    expect(withoutIds(some.games)).toEqual(withoutIds(all.games.filter(within)));
    expect(some.lines[0]!.n).toBe(some.games.filter(({ market }) => market === 'h2h').length);
    expect(some.lines[0]!.from).toBe(new Date(from).toISOString().slice(0, 10));
  });
});

const isOfGame = (ref: string) => (message: Message) => message['ref'] === ref && message.kind !== 'schedule';
