import { setImmediate } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readStory } from '../../../src/forecasting/facts/log-facts.ts';
import { PlayerRankings } from '../../../src/forecasting/facts/player-rankings.ts';
import { LeagueLearners } from '../../../src/forecasting/learning/league-learners.ts';
import type { Message } from '../../api/spec/messages.ts';
import { gamesOf, numbersOf } from '../../intelligence/seasons.ts';
import { endOf, HOUR, messagesOf, scheduleOf } from '../track-record/game-messages.ts';
import { createForecastServiceHarness } from './forecast-service-harness.ts';

const games = gamesOf('nba', 'nba', 200, numbersOf(4));
const KNOWN = 130;
const isResult = ({ kind }: Message) => kind === 'score';

let given: Awaited<ReturnType<typeof createForecastServiceHarness>>;
let service: Awaited<ReturnType<(typeof given)['book']>>;
/** Until it ends, an import is under way. */
let endImport: () => void;
let imported: Promise<void> | undefined;

beforeEach(async () => {
  // A league with 130 results, whose other games have not ended, and a game to come.
  given = await createForecastServiceHarness();
  const all = messagesOf('nba', games);
  const results = new Set(all.filter(isResult).slice(KNOWN));
  const next = { ...games[0]!, startsAt: games.at(-1)!.startsAt + 48 * HOUR };
  await given.tell([...all.filter((message) => !results.has(message)), scheduleOf('nba', next, games.length)]);
  imported = undefined;
  service = await given.book({ waitUntilTakenIn: async () => imported });
});
afterEach(async () => {
  endImport?.();
  await service.book.close();
  await given.close();
});

function beginImport(): void {
  imported = new Promise((resolve) => (endImport = resolve));
}

/** Of the game to come. */
async function told(): Promise<unknown> {
  const forecasts = await service.book.forecastsOf({ id: games.length + 1, sport: 'nba' }, undefined);
  if (!forecasts || forecasts === 'learning') return forecasts;
  const forecast = forecasts.before(forecasts.closesAt)?.forecast.home;
  return forecasts.isInterrupted ? 'learning' : forecast;
}
/** Resolves when the models have learned all records, whether or not that is all of an import. */
async function caughtUp(): Promise<void> {
  const head = await given.log.head();
  await expect.poll(() => service.book.follower().position).toBe(head);
}
const ends = (from: number, to: number) => games.slice(from, to).flatMap((game, i) => endOf('nba', game, from + i));

describe('a league that is forecast', () => {
  /** Whatever is told while these messages are taken in and learned, but for what was told before and is after. */
  async function toldBetween(messages: readonly Message[]): Promise<readonly unknown[]> {
    const before = await told();
    const seen = new Set<unknown>();
    let isOver = false;
    const ask = async () => {
      for (; !isOver; await setImmediate()) seen.add(await told());
    };
    const asking = Promise.all(Array.from({ length: 20 }, ask));
    await given.tell(messages);
    await service.reached();
    isOver = true;
    await asking;
    const after = await told();
    expect(after).not.toBe(before);
    return [...seen].filter((one) => one !== before && one !== after);
  }

  it('shows the results of one append together', async () => {
    expect(await toldBetween(ends(KNOWN, KNOWN + 25))).toEqual([]);
  });

  it('shows a corrected result together with the others of its append', async () => {
    const { score } = games[100]!;
    const corrected = { ...games[100]!, score: { home: score.away, away: score.home } };
    const correction = endOf('nba', corrected, 100, games[KNOWN + 2]!.knownAt + HOUR / 2);
    expect(await toldBetween([...ends(KNOWN, KNOWN + 3), ...correction, ...ends(KNOWN + 3, KNOWN + 6)])).toEqual([]);
  });

  it('has no forecast from the 33rd result of an import on, though each part is learned before the next comes', async () => {
    beginImport();
    const numbers: unknown[] = [];
    for (let from = KNOWN; from < KNOWN + 60; from += 5) {
      await given.tell(ends(from, from + 5));
      await caughtUp();
      numbers.push(await told());
    }
    expect(numbers.slice(0, 6).every((one) => typeof one === 'number')).toBe(true);
    expect(numbers.slice(6)).toEqual(numbers.slice(6).map(() => 'learning'));
    expect(service.book.follower().state).toBe('catching-up');
    endImport();
    await service.reached();
    expect(await told()).toBeTypeOf('number');
    expect(service.book.follower()).toMatchObject({ state: 'live', position: await given.log.head() });
  });

  it('counts the results of two imports apart', async () => {
    for (const from of [KNOWN, KNOWN + 20, KNOWN + 40]) {
      beginImport();
      await given.tell(ends(from, from + 20));
      await caughtUp();
      endImport();
      // What was noted is forgotten when the end of the log is known.
      for (let turn = 0; turn < 10; turn++) await setImmediate();
      expect(await told()).toBeTypeOf('number');
    }
  });

  it('is told of as late before some of many results show without the others, whatever brought them', async () => {
    await given.tell(ends(KNOWN, games.length));
    const learners = new LeagueLearners(new PlayerRankings());
    const put = async (from: number, to: number) => {
      for (let id = from + 1; id <= to; id++) learners.put((await readStory(given.log, id))!);
    };
    await put(0, KNOWN);
    await learners.learn(async () => {});
    await put(KNOWN, games.length);
    const steps: string[] = [];
    await learners.learn(
      async () => void steps.push('pause'),
      (sport, league) => void steps.push(`late: ${sport} ${league}`),
    );
    expect(steps[0]).toBe('late: nba nba');
    expect(steps.filter((step) => step !== 'pause')).toHaveLength(1);
  });
});
