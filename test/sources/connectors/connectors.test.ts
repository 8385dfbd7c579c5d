import { describe, expect, it } from 'vitest';
import { createMemoryConnectorStore } from '../../../src/sources/connectors/store/memory-connector-store.ts';
import type { ProviderRequest } from '../../../src/sources/provider-base/provider.ts';
import { createTimers } from '../../api/streams/timers.ts';
import { connectorsWorld, exchanged, NOON, type WorldParts } from './connectors-harness.ts';
import { toyProvider } from './fake-provider.ts';
import { question } from './toys.ts';

const MINUTE = 60_000;
const good = () => exchanged({ messages: [] });
const polled = (questions: readonly ProviderRequest[], more: object = {}, name = 'espn') => [
  { provider: toyProvider(() => questions, name), address: 'http://provider.example', ...more },
];
const world = (
  questions: readonly ProviderRequest[],
  answer: WorldParts['answer'] = good,
  more: Partial<WorldParts> = {},
  budget?: number,
) => connectorsWorld({ providers: polled(questions, budget === undefined ? {} : { budget }), answer, ...more });

describe('what is asked first', () => {
  it('given a start, everything that is first, four at a time, then the rest by urgency', async () => {
    const firsts = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) =>
      question(key, { isPrerequisite: true, urgency: 'idle', intervalSeconds: 3600 }),
    );
    const rest = [
      question('later', { urgency: 'later', intervalSeconds: 3600 }),
      question('live', { urgency: 'live', intervalSeconds: 3600 }),
    ];
    const one = await world([...rest, ...firsts]);
    await one.connectors.start();
    await one.pass(200, 10);
    expect(one.asked.map(({ path }) => path)).toEqual(['/a', '/b', '/c', '/d', '/e', '/f', '/live', '/later']);
    expect(one.mostUnderWay).toBe(4);
    await one.connectors.close();
  });

  it('given one path and query, it is asked once at a time, and an overtaken round is left out', async () => {
    const same = [question('a', { path: '/x' }), question('b', { path: '/x' })];
    const one = await world(same, good, { takes: () => 40_000 });
    await one.connectors.start();
    await one.pass(2 * MINUTE);
    expect(one.mostUnderWay).toBe(1);
    expect(one.asked.map(({ at }) => Math.round(at / 1000))).toEqual([0, 40, 81]);
    await one.connectors.close();
  });

  it('given two connectors of one host, they share its four places', async () => {
    const questions = [1, 2, 3, 4].map((key) => question(String(key)));
    const providers = ['espn', 'other'].flatMap((name) => polled(questions, {}, name));
    const one = await connectorsWorld({ providers, answer: good, takes: () => 1000 });
    await one.connectors.start();
    await one.pass(5000);
    expect([one.mostUnderWay, one.asked.length]).toEqual([4, 8]);
    await one.connectors.close();
  });
});

describe('failures', () => {
  it('given leagues that cannot be read, they are read again within seconds', async () => {
    let reads = 0;
    const refresh = async () => {
      if (++reads < 3) throw new Error('not now');
    };
    const one = await world([question('a')], good, { refresh });
    await one.connectors.start();
    await one.pass(20_000);
    expect([reads, one.errors.length]).toEqual([3, 2]);
    await one.connectors.close();
  });

  it('given a host that fails, it is repeated after 1, 2, 4 s, then rests; its state is told, and later that it is ok', async () => {
    let isBroken = true;
    const one = await world([question('a')], () => (isBroken ? exchanged({}, { status: 500 }) : good()));
    expect(one.state()).toEqual(['standby']);
    await one.connectors.start();
    expect(one.state()).toEqual(['starting']);
    await one.pass(50 * 1000, 10);
    // At 0, 1, 3, 7; then 15 s after the last of them: the fifth failure in a row.
    expect(one.asked.map(({ at }) => Math.round(at / 1000))).toEqual([0, 1, 3, 7, 22]);
    expect(one.state()).toEqual(['failing']);
    isBroken = false;
    await one.pass(3000);
    expect(one.asked.length).toBe(6);
    expect(one.connectors.health()[0]).toMatchObject({
      state: 'ok',
      requests: 6,
      failures: 5,
      lag_seconds: expect.any(Number),
      last_error: { code: 'http_500' },
      budget: null,
    });
    await one.connectors.close();
  });

  it('given Retry-After, nothing of the host is asked before, whatever the pace', async () => {
    const answer = (_: string, at: number) =>
      at < 1000 ? exchanged({}, { status: 429, headers: { 'retry-after': '90' } }) : good();
    const one = await world([question('a'), question('b')], answer, { pace: 60 });
    await one.connectors.start();
    await one.pass(89_000);
    expect(one.asked.length).toBe(2);
    await one.pass(2000);
    expect(one.asked.length).toBeGreaterThan(3);
    await one.connectors.close();
  });

  it('given a key that is not known, there is one trial every ten minutes', async () => {
    const key = { name: 'apiKey', value: 'unknown' };
    const one = await connectorsWorld({
      providers: polled([question('a'), question('b'), question('c')], { key }),
      answer: () => exchanged({}, { status: 401 }),
    });
    await one.connectors.start();
    await one.pass(25 * MINUTE, 1000);
    expect(one.asked.map(({ at }) => Math.round(at / MINUTE))).toEqual([0, 0, 0, 10, 20]);
    expect(one.state()).toEqual(['failing']);
    expect(one.connectors.isDegraded).toBe(true);
    await one.connectors.close();
  });

  it.each([401, 403])(
    'given %i from a provider without keys, it is refused at once, says what to set, and is tried every ten minutes',
    async (status) => {
      const one = await world([question('a'), question('b'), question('c')], (_, at) =>
        at < 25 * MINUTE ? exchanged('Access Denied', { status }) : good(),
      );
      await one.connectors.start();
      await one.pass(1000);
      expect(one.state()).toEqual(['refused']);
      expect(one.connectors.isDegraded).toBe(true);
      const [{ last_error: error }] = one.connectors.health() as any;
      expect(error).toEqual({
        code: `http_${status}`,
        message: expect.stringMatching(/FEED_CONTACT.*FEED_USER_AGENT/),
      });
      await one.pass(24 * MINUTE, 1000);
      expect(one.asked.map(({ at }) => Math.round(at / MINUTE))).toEqual([0, 0, 0, 10, 20]);
      await one.pass(7 * MINUTE, 1000);
      expect(one.state()).toEqual(['ok']);
      expect(one.connectors.isDegraded).toBe(false);
      await one.connectors.close();
    },
  );

  it('given one address that is refused while others are answered, the others are asked on', async () => {
    const one = await world([question('a'), question('b')], (path) =>
      path === '/a' ? exchanged({}, { status: 403 }) : good(),
    );
    await one.connectors.start();
    await one.pass(11 * MINUTE, 1000);
    const before = one.asked.length;
    await one.pass(20 * MINUTE, 1000);
    const later = one.asked.slice(before);
    expect(later.filter(({ path }) => path === '/b').length).toBeGreaterThan(60);
    expect(later.filter(({ path }) => path === '/a').length).toBeLessThan(4);
    await one.connectors.close();
  });

  it('given a state that is bad for five minutes by the pace, the server is degraded', async () => {
    const one = await world(
      [question('a')],
      () => exchanged({ messages: [], drift: [{ path: 'x', problem: 'is absent' }] }),
      { pace: 2 },
    );
    await one.connectors.start();
    await one.pass(149_000, 1000);
    expect([one.state(), one.connectors.isDegraded]).toEqual([['drift'], false]);
    await one.pass(6000, 1000);
    expect(one.connectors.isDegraded).toBe(true);
    await one.connectors.close();
  });

  it('given a member that drifts, the state says so until an answer reads whole', async () => {
    let drift: readonly object[] = [{ path: 'events.date', problem: 'is absent' }];
    const one = await world([question('a')], () => exchanged({ messages: [], drift }));
    await one.connectors.start();
    await one.pass(1000);
    expect(one.connectors.health()[0]).toMatchObject({
      state: 'drift',
      last_error: { code: 'drift', message: 'events.date: is absent' },
    });
    drift = [];
    await one.pass(16_000);
    expect(one.state()).toEqual(['ok']);
    await one.connectors.close();
  });

  it('given requests that fail after an answer has drifted, it is failing; when they succeed, what drifted shows again', async () => {
    let isDown = false;
    const drifted = { messages: [], drift: [{ path: 'x', problem: 'is absent' }] };
    const one = await world([question('a'), question('b')], (path) =>
      isDown ? exchanged({}, { status: 500 }) : exchanged(path === '/a' ? drifted : { messages: [] }),
    );
    await one.connectors.start();
    await one.pass(1000);
    expect(one.state()).toEqual(['drift']);
    isDown = true;
    await one.pass(20_000);
    expect(one.connectors.health()[0]).toMatchObject({ state: 'failing', last_error: { code: 'http_500' } });
    isDown = false;
    await one.pass(60_000);
    expect(one.state()).toEqual(['drift']);
    await one.connectors.close();
  });
});

describe('a quota', () => {
  const paid = (key: string, more: Partial<ProviderRequest> = {}) =>
    question(key, { intervalSeconds: 60, cost: 3, ...more });
  const costing = () =>
    exchanged({ messages: [] }, { headers: { 'x-requests-last': '3', 'x-requests-remaining': '400' } });

  it('given a day, it is spread over it, live leagues come first, and it is never exceeded', async () => {
    const one = await world([paid('soon', { urgency: 'soon' }), paid('live')], costing, {}, 16);
    await one.connectors.start();
    await one.pass(11.9 * 60 * MINUTE, 5000);
    expect(one.asked.map(({ path }) => path)).toEqual(['/live', '/live', '/live', '/live', '/live']);
    expect(one.connectors.health()[0]).toMatchObject({
      state: 'exhausted',
      budget: { limit: 16, used: 15, remaining: 1, provider_remaining: 400 },
    });
    // The next UTC day.
    await one.pass(12 * MINUTE, 5000);
    expect([one.asked.length, one.state()]).toEqual([6, ['ok']]);
    await one.connectors.close();
  });

  it('given a restart, what is used stays used', async () => {
    const kept = createMemoryConnectorStore();
    const paths: string[] = [];
    for (let start = 0; start < 8; start++) {
      const one = await world([paid('a')], costing, { kept }, 16);
      await one.connectors.start();
      await one.pass(1000);
      paths.push(...one.asked.map(({ path }) => path));
      await one.connectors.close();
    }
    // What was told to wait waits after the restart too.
    expect(paths).toEqual(['/a']);
    expect((await kept.readBudget('espn'))?.used).toBe(3);
  });

  it('given that the provider has none left, nothing paid is asked until the next day, and what is free is', async () => {
    const answer = (path: string) =>
      path === '/free' ? good() : exchanged({ error_code: 'OUT_OF_USAGE_CREDITS' }, { status: 401 });
    const one = await world([paid('a'), question('free', { intervalSeconds: 600 })], answer, {}, 1000);
    await one.connectors.start();
    await one.pass(60 * MINUTE, 5000);
    expect(one.asked.filter(({ path }) => path === '/a').length).toBe(1);
    expect(one.asked.filter(({ path }) => path === '/free').length).toBe(7);
    expect(one.connectors.health()[0]).toMatchObject({ state: 'exhausted', last_error: { code: 'quota' } });
    await one.connectors.close();
  });
});

describe('a quota that is used up', () => {
  const outOfCredits = () => exchanged({ error_code: 'OUT_OF_USAGE_CREDITS' }, { status: 401 });

  it.each([
    ['with a budget', 1000],
    ['without one', undefined],
  ])('given the very first request, a free one, says so at once, %s', async (_, budget) => {
    const one = await world([question('free', { intervalSeconds: 600 })], outOfCredits, {}, budget);
    await one.connectors.start();
    await one.pass(1000);
    expect(one.connectors.health()[0]).toMatchObject({ state: 'exhausted', last_error: { code: 'quota' } });
    await one.connectors.close();
  });

  it('given requests that failed before, or an answer that had drifted, says so all the same', async () => {
    const answers = [
      exchanged({ messages: [], drift: [{ path: 'x', problem: 'is absent' }] }),
      exchanged({}, { status: 500 }),
      outOfCredits(),
    ];
    const one = await world([question('a')], () => (answers.length > 1 ? answers.shift()! : answers[0]!), {}, 1000);
    await one.connectors.start();
    await one.pass(30_000);
    expect(one.state()).toEqual(['exhausted']);
    await one.connectors.close();
  });
});

describe('several instances', () => {
  it('given one that polls, another stands by; when the first dies it takes over within 10 s, and not before its lease is over', async () => {
    const [kept, timers] = [createMemoryConnectorStore(), createTimers()];
    const [first, second] = [
      await world([question('a')], good, { kept, timers, owner: 'first' }),
      await world([question('a')], good, { kept, timers, owner: 'second' }),
    ];
    await first.connectors.start();
    await second.connectors.start();
    await second.pass(60_000);
    expect([first.state(), second.state()]).toEqual([['ok'], ['standby']]);
    expect(second.asked).toEqual([]);
    // It dies: it is not heard of any more, and its lease stands.
    const died = timers.now();
    const claim = kept.claim;
    kept.claim = async (owner, now, forMs) => owner === 'second' && claim(owner, now, forMs);
    await second.pass(30_000);
    expect(second.asked[0]!.at - died).toBeGreaterThan(3900);
    expect(second.asked[0]!.at - died).toBeLessThanOrEqual(10_000);
    const lastOfFirst = first.asked.at(-1)!.at;
    expect(lastOfFirst).toBeLessThan(second.asked[0]!.at);
    expect(first.state()).toEqual(['standby']);
    await first.connectors.close();
    await second.connectors.close();
  });

  it('given one that stops, another goes on at once', async () => {
    const [kept, timers] = [createMemoryConnectorStore(), createTimers()];
    const first = await world([question('a')], good, { kept, timers, owner: 'first' });
    const second = await world([question('a')], good, { kept, timers, owner: 'second' });
    await first.connectors.start();
    await second.connectors.start();
    await first.connectors.close();
    await second.pass(6000);
    expect(second.asked.length).toBeGreaterThan(0);
    await second.connectors.close();
  });
});

describe('an end', () => {
  it('given requests under way, breaks them off; given an answer that is being taken, takes all of it', async () => {
    let taken = 0;
    let goOn = (): void => {};
    const intake: WorldParts['intake'] = {
      async accept(items) {
        await new Promise<void>((resolve) => {
          goOn = resolve;
        });
        taken += items.length;
        return { outcomes: items.map(({ line }) => ({ line, status: 'accepted' as const })), positions: new Map() };
      },
    };
    const messages = [
      { kind: 'score', ref: '1' },
      { kind: 'score', ref: '2' },
    ];
    const one = await world(
      [question('a'), question('b')],
      (path) => (path === '/a' ? exchanged({ messages }) : undefined),
      { intake },
    );
    await one.connectors.start();
    await one.pass(100);
    let isClosed = false;
    const closed = one.connectors.close().then(() => {
      isClosed = true;
    });
    await one.settle();
    expect(isClosed).toBe(false);
    goOn();
    await closed;
    expect([taken, one.errors]).toEqual([2, []]);
    const { length } = one.asked;
    await one.pass(60_000);
    expect(one.asked.length).toBe(length);
  });
});

describe('answers that run backwards', () => {
  const score = (clock: string, home: number) =>
    exchanged({
      messages: [
        {
          kind: 'score',
          ref: '1',
          status: 'inprogress',
          period: '2',
          clock,
          scores: [
            { role: 'home', score: String(home) },
            { role: 'away', score: '0' },
          ],
        },
      ],
    });
  const pointsOf = (taken: readonly unknown[]) => taken.map((message: any) => Number(message.scores[0].score));

  it('given a copy of a minute ago, nothing of it is taken; health counts it, and that it dissolved', async () => {
    const one = await world([question('a')], (_, at) => {
      const step = Math.floor(at / 15_000);
      return step === 4 ? score('9:00', 10) : score(`${8 - Math.floor(step / 4)}:0${9 - (step % 4)}`, 11 + step);
    });
    await one.connectors.start();
    await one.pass(62_000);
    expect(one.connectors.health()[0]).toMatchObject({ held: 1, flaps: 0 });
    await one.pass(60_000);
    expect(one.connectors.health()[0]).toMatchObject({ held: 0, flaps: 1 });
    expect(pointsOf(one.taken)).toEqual([...pointsOf(one.taken)].sort((a, b) => a - b));
    await one.connectors.close();
  });

  it.each([15, 60, 600])(
    'given a real correction of a list asked for every %i s, it is taken within a minute',
    async (every) => {
      const turn = 20 * MINUTE;
      const one = await world([question('a', { intervalSeconds: every })], (_, at) =>
        at < turn ? score('1:00', 30) : score('5:00', 20),
      );
      await one.connectors.start();
      await one.pass(turn + 600_000 + 30_000, 1000);
      const shownAt = one.asked.find(({ at }) => at + 10 >= turn)!.at;
      await one.connectors.close();
      const corrected: any = one.taken.find((message: any) => message.scores[0].score === '20');
      expect(Date.parse(corrected.at) - NOON - shownAt).toBeLessThanOrEqual(60_000);
    },
  );
});
