import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SHARP_BOOK_WEIGHTS } from '../../../src/domain/catalogue/catalogue.ts';
import { DAY, MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import { type BacktestLine, runBacktest } from '../../../src/forecasting/track-record/backtest-log.ts';
import { INTAKE_BATCH_SIZE } from '../../../src/ingest/intake/intake.ts';
import { isPublishedAt } from '../../../src/intelligence/evaluation/publication-rule.ts';
import { type AgentServer, serveAgent } from '../../api/agent/serving.ts';
import { type Message, market, odds } from '../../api/spec/messages.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';
import { endOf, iso, messagesOf, refOf, scheduleOf } from './game-messages.ts';

let server: AgentServer | undefined;
let folder: string | undefined;
afterEach(async () => {
  await server?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  [server, folder] = [undefined, undefined];
});

const PATH = '/v1/intelligence/record';
/** From January to September of 2015: in August another season begins. */
const NFL = gamesOf('nfl', 'nfl', 220, numbersOf(1));
/** The same with one season, by the schedules. */
const ofOneSeason = (messages: readonly Message[]): Message[] =>
  messages.map((message) =>
    message.kind === 'schedule' ? { ...message, season: { year: 2011, phase: 'regular_season' } } : message,
  );
/** Ends are observed six hours after the start. */
const LATER = DAY / 4;

async function open(messages: readonly Message[], options: Parameters<typeof serveAgent>[0] = {}) {
  server = await serveAgent(options);
  await take(server, messages);
  return server;
}

async function take({ feed }: Pick<AgentServer, 'feed'>, messages: readonly Message[]): Promise<void> {
  for (let from = 0; from < messages.length; from += INTAKE_BATCH_SIZE)
    await feed(...messages.slice(from, from + INTAKE_BATCH_SIZE));
}

async function judgedBy({ log }: Pick<AgentServer, 'log'>) {
  const games: BacktestLine[] = [];
  const weightOf = (book: string) => SHARP_BOOK_WEIGHTS[book] ?? 0;
  const all = { sport: null, from: Number.NEGATIVE_INFINITY, before: Number.POSITIVE_INFINITY, weightOf };
  const lines = await runBacktest(log, { ...all, onGame: (line) => void games.push(line) });
  return {
    games,
    lineOf: (sport: string, market: string) => lines.find((l) => l.sport === sport && l.market === market)!,
  };
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
const mean = (values: readonly number[]): number => sum(values) / values.length;
const seasonOf = ({ starts_at }: BacktestLine): number => (starts_at < '2015-08' ? 2014 : 2015);

describe('the track record', () => {
  it('has the figures of the backtest, by season', async () => {
    const { get, log } = await open(messagesOf('nfl', NFL));
    const { games, lineOf } = await judgedBy({ log });
    for (const market of ['h2h', 'spreads', 'totals']) {
      const { rows, total, blend, ...asked } = await get(`${PATH}?sport=nfl&market=${market}`);
      expect(blend).toEqual({ ...lineOf('nfl', market).blend_weight, weight: 0 });
      expect([asked, total]).toEqual([{ sport: 'nfl', league: null, market }, 2]);
      expect(rows.map(({ season, league, model_version }: any) => [season, league, model_version])).toEqual([
        [2015, 'nfl', 'nfl-2.1'],
        [2014, 'nfl', 'nfl-2.1'],
      ]);
      const line = lineOf('nfl', market);
      expect(sum(rows.map(({ n }: any) => n))).toBe(line.n);
      expect(sum(rows.map(({ close }: any) => close.n))).toBe(line.close.n);
      for (const row of rows) {
        const ofSeason = games.filter((game) => game.market === market && seasonOf(game) === row.season);
        expect(row.n).toBe(ofSeason.length);
        if (row.n < 30) continue;
        const losses = ofSeason.map(({ probabilities, outcome }) => -Math.log(probabilities[outcome]!));
        const closes = ofSeason.flatMap(({ close, outcome }) => (close ? [-Math.log(close[outcome]!)] : []));
        expect(row.log_loss).toBeCloseTo(mean(losses), 12);
        // Below 500 games the blend is the close.
        expect(row.blend).toEqual(row.close);
        expect([row.close.n, row.close.log_loss]).toEqual([closes.length, expect.closeTo(mean(closes), 12)]);
        const first = market === 'totals' ? 'over' : 'home';
        for (const { from, to, n, predicted, observed } of row.calibration) {
          const within = ofSeason.filter(({ probabilities: { [first]: p } }) => p! >= from && p! < to);
          expect(n).toBe(within.length);
          expect(predicted).toBeCloseTo(mean(within.map(({ probabilities }) => probabilities[first]!)), 12);
          expect(observed).toBeCloseTo(mean(within.map(({ outcome }) => (outcome === first ? 1 : 0))), 12);
        }
        expect(sum(row.calibration.map(({ n }: any) => n))).toBe(row.n);
      }
    }
  });

  it('has the same measures as the backtest where there is one season', async () => {
    const { get, log } = await open(ofOneSeason(messagesOf('nfl', NFL.slice(0, 180))));
    const { n, log_loss, brier, slope, intercept, close } = (await judgedBy({ log })).lineOf('nfl', 'h2h');
    const { rows } = await get(`${PATH}?sport=nfl`);
    expect(rows).toMatchObject([{ season: 2011, n, log_loss, brier, slope, intercept, close }]);
    expect(n).toBeGreaterThan(50);
  });

  it('shows only the number of games if there are fewer than 30', async () => {
    const { get } = await open(ofOneSeason(messagesOf('nfl', NFL.slice(0, 125))));
    const { rows } = await get(`${PATH}?sport=nfl`);
    const [row] = rows;
    const nothing = { log_loss: null, brier: null, slope: null, intercept: null };
    expect(row).toMatchObject({ ...nothing, close: nothing });
    expect(row.n).toBeGreaterThan(10);
    expect(row.n).toBeLessThan(30);
    expect(sum(row.calibration.map(({ n }: any) => n))).toBe(row.n);
  });

  it('has no close if there were no quotes', async () => {
    const unpriced = messagesOf('nfl', NFL.slice(0, 150)).filter(({ kind }) => kind !== 'odds');
    const { get } = await open(unpriced);
    const { rows } = await get(`${PATH}?sport=nfl`);
    expect(rows).toMatchObject([{ close: null }, { close: null }]);
    expect((await get(`${PATH}?sport=nfl&market=spreads`)).rows).toEqual([]);
  });

  it('is free, even if it is empty, and takes a league', async () => {
    const { ask, get } = await open(ofOneSeason(messagesOf('nfl', NFL.slice(0, 150))));
    const { status, credits, body } = await ask(`${PATH}?sport=nfl&league=nfl`);
    expect([status, credits, body.league, body.total]).toEqual([200, 0, 'nfl', 1]);
    expect(await get(`${PATH}?sport=nfl&league=none`)).toEqual({
      sport: 'nfl',
      league: 'none',
      market: 'h2h',
      rows: [],
      total: 0,
      blend: { weight: 0, interval: [expect.any(Number), expect.any(Number)], n: expect.any(Number) },
    });
    expect((await get(`${PATH}?sport=tennis`)).rows).toEqual([]);
  });

  it.each([
    ['', 422],
    ['?market=h2h', 422],
    ['?sport=nfl&market=outrights', 422],
    ['?sport=cricket', 400],
  ])('%s is refused with %i', async (query, status) => {
    const { ask } = await open([]);
    expect((await ask(PATH + query)).status).toBe(status);
  });

  it('is refused for a key without the sport', async () => {
    const { ask, newKey } = await open([]);
    const { key } = await newKey({ scopes: ['nba'] });
    expect((await ask(`${PATH}?sport=nfl`, { key })).status).toBe(403);
    expect((await ask(`${PATH}?sport=nba`, { key })).status).toBe(200);
  });
});

/** Time for a count on a busy machine: milliseconds. */
const PATIENCE = { timeout: 20_000 };

describe('when the track record is counted', () => {
  const games = NFL.slice(0, 160);
  /** The last game ends on this day. */
  const last = games.at(-1)!.knownAt;
  const time = last + MINUTE;
  const nOf = async ({ get }: Pick<AgentServer, 'get'>): Promise<number> =>
    sum((await get(`${PATH}?sport=nfl`)).rows.map(({ n }: any) => n));

  it('the results of today wait for midnight', async () => {
    const own = await open(messagesOf('nfl', games), { time });
    await own.recordKeeper.start();
    const before = await nOf(own);
    const midnight = Math.floor(time / DAY) * DAY;
    const today = games.filter(({ knownAt, winner }) => knownAt >= midnight && winner).length;
    expect(today).toBeGreaterThan(0);
    own.timers.advance(5 * MINUTE);
    await expect.poll(() => own.recordKeeper.size.bytes).toBeGreaterThan(0);
    expect(await nOf(own)).toBe(before);
    own.clock.time += DAY;
    await vi.waitFor(async () => {
      own.timers.advance(10 * SECOND);
      expect(await nOf(own)).toBe(before + today);
    }, PATIENCE);
  });

  it('results of past games count when no more of them arrive', async () => {
    const own = await open(messagesOf('nfl', games.slice(0, 130)));
    await own.recordKeeper.start();
    const before = await nOf(own);
    const later = messagesOf('nfl', games).slice(messagesOf('nfl', games.slice(0, 130)).length);
    const more = games.slice(130).filter(({ winner }) => winner).length;
    await take(own, later);
    expect(await nOf(own)).toBe(before);
    await vi.waitFor(async () => {
      own.timers.advance(10 * SECOND);
      expect(await nOf(own)).toBe(before + more);
    }, PATIENCE);
  });

  it('a restart changes nothing, whatever the order of arrival', async () => {
    folder = mkdtempSync(join(tmpdir(), 'll-record-'));
    const messages = messagesOf('nfl', games);
    const one = await open(messages, { file: folder, time });
    const told = await one.get(`${PATH}?sport=nfl`);
    expect(told.total).toBe(2);
    await one.close();
    const again = await open([], { file: folder, time: time + LATER / 2 });
    expect(await again.get(`${PATH}?sport=nfl`)).toEqual(told);
    await again.close();
    const schedules = messages.filter(({ kind }) => kind === 'schedule');
    const others = messages.filter(({ kind }) => kind !== 'schedule');
    const replayed = await open([...schedules.toReversed(), ...others.toReversed()], { time });
    expect(await replayed.get(`${PATH}?sport=nfl`)).toEqual(told);
  });
});

describe('publication', () => {
  const COUNT = 900;
  const NBA = gamesOf('nba', 'nba', COUNT, numbersOf(2));
  /** The first prices are neutral, and the last ones favour the winner. */
  const foreseen = NBA.flatMap((game, i): Message[] => {
    const at = (before: number) => ({ at: iso(game.startsAt - before) });
    const quoted = (home: number, away: number, before: number) =>
      odds(
        refOf(i),
        'pinnacle',
        [
          market('h2h', [
            ['home', home],
            ['away', away],
          ]),
        ],
        at(before),
      );
    const last: readonly [number, number] = game.winner === 'home' ? [-130, 110] : [110, -130];
    return [
      scheduleOf('nba', game, i),
      quoted(-105, -105, 60 * MINUTE),
      quoted(...last, 30 * MINUTE),
      ...endOf('nba', game, i),
    ];
  });

  it('begins at the midnight at which the backtest of the games before it allows it', async () => {
    const { log, recordKeeper, get } = await open(foreseen);
    const publishedAt = (moment: number) => isPublishedAt(recordKeeper.publicationsOf('nba').h2h, moment);
    const [first, end] = [NBA[0]!.startsAt, NBA.at(-1)!.knownAt + DAY];
    expect(publishedAt(end)).toBe(false);
    await get(`${PATH}?sport=nba`);
    expect([publishedAt(end), recordKeeper.reliabilityOf('nba', end)]).toEqual([true, 'established']);
    let midnight = Math.floor(first / DAY) * DAY;
    while (!publishedAt(midnight)) midnight += DAY;
    expect(publishedAt(midnight - 1)).toBe(false);
    const weightOf = (book: string) => SHARP_BOOK_WEIGHTS[book] ?? 0;
    const judgedBefore = async (before: number) => {
      const from = Number.NEGATIVE_INFINITY;
      const [h2h] = await runBacktest(log, { sport: 'nba', from, before: before - LATER, weightOf });
      return h2h!;
    };
    const [on, off] = [await judgedBefore(midnight), await judgedBefore(midnight - DAY)];
    expect([on.published, off.published]).toEqual([true, false]);
    expect(on.selections.n).toBeGreaterThanOrEqual(500);
    const { spreads, totals } = recordKeeper.publicationsOf('nba');
    expect([isPublishedAt(spreads, end), isPublishedAt(totals, end)]).toEqual([false, false]);
  });
});
