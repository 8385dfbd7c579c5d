import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { DAY, MINUTE, SECOND } from '../../../src/domain/primitives/time.ts';
import { easternDays } from '../../../src/sources/provider-base/eastern-day.ts';
import { freePort, launch, run, startServer, temporaryFolder } from '../../server/cli/launching.ts';
import { archived, linesOf } from '../../sources/archived-answers.ts';
import type { SimulatedProvider } from '../../sources/simulated-provider/simulated-provider.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { findDuplicates } from './find-duplicates.ts';
import { seeded } from './generated-feed.ts';
import { type Logs, tooOften } from './live-pace.ts';
import { type Name, PACE, PLAYED, providers, storiesFrom } from './live-world.ts';

const KILLS = Number(process.env['KILL_FEEDS'] ?? 6);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));
const BOOTSTRAP_KEY = `llk_${'0'.repeat(12)}.${'x'.repeat(43)}`;
/** How often paid answers may be asked for, in the long run: the budget is made for it. Milliseconds. */
const PAID_EVERY = 1500;

/** What a provider says of everything that was asked, when its story is at rest. */
function lastAnswers(provider: SimulatedProvider): string {
  const asked = new Map<string, string>();
  for (const { path, query } of provider.log) {
    const { apiKey: _, ...told } = query;
    const ask = (of: Readonly<Record<string, string>>) => `http://provider${path}?${new URLSearchParams(of)}`;
    asked.set(ask(told), ask(query));
  }
  const answers = [...asked].flatMap(([told, url]) => {
    const { answer } = provider.answer(new URL(url), {});
    return answer?.status === 200 ? [archived(Date.now(), told, answer.body)] : [];
  });
  return linesOf(answers);
}

/** Which numbers things have, and when each was said, is another matter on another server. */
const OF_THE_RUN = /^(id|.*_id|.*_at|last_updated|inprogress_since)$/;
const withoutThose = (_: string, value: unknown): unknown =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([name]) => name === 'starts_at' || !OF_THE_RUN.test(name)))
    : value;

function asker(url: string) {
  return async (path: string): Promise<any> => {
    const answer = await fetch(url + path, { headers: { authorization: `Bearer ${BOOTSTRAP_KEY}` } });
    expect(answer.status, `${path}: ${await answer.clone().text()}`).toBe(200);
    return answer.json();
  };
}

const PARTS = ['', '/odds?bookmaker=all', '/splits', '/stats', '/score'];

/** Everything that is served of these leagues. */
async function shownBy(url: string, always: readonly string[] = []): Promise<Record<string, unknown>> {
  const ask = asker(url);
  const shown: [string, unknown][] = [];
  for (const league of ['nfl', 'nba']) {
    const { events } = await ask(`/v1/events?league=${league}`);
    for (const event of events) {
      const { name } = event;
      // Those of a game that has begun stay as they were: who learns of it later has none.
      const parts = event.status === 'scheduled' ? [...PARTS, '/injuries'] : [...PARTS, ...always];
      for (const part of parts) shown.push([`${name}${part} #${event.id}`, await ask(`/v1/events/${event.id}${part}`)]);
    }
    for (const list of ['teams', 'players']) {
      shown.push([`${list} of ${league}`, await ask(`/v1/${list}?league=${league}&sport=${league}`)]);
    }
  }
  const places = shown.map(([place, value]) => [
    place.replace(/ #.*/, ''),
    JSON.parse(JSON.stringify(value, withoutThose)),
  ]);
  expect(new Set(places.map(([place]) => place)).size, 'each stands once').toBe(places.length);
  return Object.fromEntries(places);
}

describe(`live providers, while the server is killed ${KILLS} times (SEED ${SEED})`, () => {
  it('end in what they said last, at the pace and within the credits that are set', {
    timeout: 6 * MINUTE,
  }, async () => {
    const random = seeded(SEED);
    // Not over midnight: the credits of a day are counted. Nor over that of the games.
    const left = Math.min(DAY - (Date.now() % DAY), easternDays(Date.now()).today.to - Date.now());
    if (left < 3 * MINUTE) await delay(left);
    const begin = Date.now() + 2 * SECOND;
    const stories = storiesFrom(begin);
    const { simulated, env: feeds } = await providers(stories, begin);
    const budget = Math.ceil((DAY - (begin % DAY)) / PAID_EVERY);
    const port = await freePort();
    const env = {
      ...feeds,
      BOOTSTRAP_KEY,
      THE_ODDS_API_BUDGET: String(budget),
      PORT: String(port),
      LOG_LEVEL: 'error',
    };
    const folder = temporaryFolder();
    const url = `http://127.0.0.1:${port}`;
    const names = Object.keys(simulated) as Name[];
    const lives: Record<Name, number>[] = [];
    const start = (more: Record<string, string> = {}) => {
      lives.push(Object.fromEntries(names.map((name) => [name, simulated[name].log.length])) as Record<Name, number>);
      return launch(['start', '--data-dir', folder], { ...env, ...more });
    };

    // When: it is killed while it starts, or while it polls.
    for (let kills = 0; kills < KILLS; kills++) {
      const victim = start();
      if (random() < 0.8) await victim.has('\nready');
      await delay(random() * 3 * SECOND);
      victim.child.kill('SIGKILL');
      const { stderr } = await victim.ended;
      expect(stderr).toBe('');
    }
    // What is asked once a day, and failed, the next round after a start asks again.
    await delay(Math.max(0, begin + PLAYED - Date.now()));
    const server = start();
    await server.has('\nready');
    // Long enough for the round after the start, and for some that follow it.
    await delay(5 * SECOND);

    // Then: it shows what a server shows that was told the last answers alone.
    const logs = Object.fromEntries(names.map((name) => [name, [...simulated[name].log]])) as unknown as Logs;
    const credits = simulated['the-odds-api'].creditsUsed;
    const other = temporaryFolder();
    for (const name of names) {
      const file = join(temporaryFolder(), 'answers.ndjson');
      writeFileSync(file, lastAnswers(simulated[name]));
      const { code, stderr } = await run(['import', name, '--data-dir', other, file]);
      expect(code, stderr).toBe(0);
    }
    const told = await startServer(other, { BOOTSTRAP_KEY });
    const expected = await shownBy(told.url);
    await expect.poll(() => shownBy(url), { timeout: 45 * SECOND, interval: SECOND }).toEqual(expected);
    expectStories(expected, await shownBy(url, ['/injuries']));
    const { feeds: health } = await asker(url)('/v1/health');
    expect(health.map(({ name, state, rejected }: any) => [name, state, rejected])).toEqual(
      [...names].sort().map((name) => [name, 'ok', 0]),
    );
    // Not a credit is forgotten, and none is spent sooner than the rest of the day allows.
    const { used } = health.find(({ budget }: any) => budget).budget;
    expect(used).toBeGreaterThanOrEqual(credits);
    expect(tooOften(logs, lives, PACE)).toEqual([]);
    const paid = logs['the-odds-api'].filter(({ path, at }) => path.endsWith('/odds') && at >= begin);
    expect(paid.length).toBeGreaterThan(KILLS / 2);
    expect((paid.length - 1) * PAID_EVERY * 0.9).toBeLessThan(paid.at(-1)!.at - paid[0]!.at + SECOND);

    // And: where all credits are used, another start uses no more.
    server.child.kill('SIGKILL');
    expect(await server.ended).toMatchObject({ stderr: '' });
    const before = simulated['the-odds-api'].creditsUsed;
    const poor = start({ THE_ODDS_API_BUDGET: String(used) });
    await poor.has('\nready');
    const stateOf = async () => (await asker(url)('/v1/health')).feeds.find(({ budget }: any) => budget).state;
    await expect.poll(stateOf, { timeout: patientTimeout(10 * SECOND) }).toBe('exhausted');
    poor.child.kill('SIGTERM');
    expect(await poor.ended).toMatchObject({ code: 0, stderr: '' });
    expect(simulated['the-odds-api'].creditsUsed).toBe(before);
    expect(await findDuplicates(folder)).toEqual([]);
    console.log(
      JSON.stringify({ seed: SEED, kills: KILLS, credits, used, asked: names.map((name) => logs[name].length) }),
    );
  });
});

/** It is what was played: the numbers are those of the stories' ends. */
function expectStories(shown: Record<string, any>, injuries: Record<string, any>): void {
  for (const name of ['Kansas City Chiefs at Cleveland Browns', 'Chicago Bulls at Boston Celtics']) {
    expect(shown[`${name}/score`]).toMatchObject({ status: 'final' });
    expect(shown[name].participants.map(({ score }: any) => score)).toEqual(['18', '15']);
  }
  const prices = JSON.stringify(shown['Miami Dolphins at Buffalo Bills/odds?bookmaker=all']);
  expect(prices.match(/"price":-?\d+/g)).toEqual(Array(3).fill(['"price":-170', '"price":160']).flat());
  expect(shown['Miami Dolphins at Buffalo Bills/splits'].consensus.moneyline.home.bets_pct).toBe(62);
  expect(shown['Phoenix Suns at Utah Jazz'].status).toBe('postponed');
  for (const [place, player] of [
    ['Chicago Bulls at Boston Celtics/injuries', 'Ann of Boston Celtics'],
    ['Miami Dolphins at Buffalo Bills/injuries', 'Ann of Buffalo Bills'],
  ] as const) {
    expect(injuries[place].injuries).toMatchObject([{ player, status: 'questionable' }]);
  }
}
