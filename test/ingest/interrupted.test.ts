import { expect, it } from 'vitest';
import type { EventLog } from '../../src/event-log/port/event-log.ts';
import type { Identities } from '../../src/ingest/identities/identities.ts';
import { MAX_RETRIED_PER_BATCH } from '../../src/ingest/pipeline/quarantine.ts';
import { type Message, type ServerOptions, withServer } from '../system/properties/small-server.ts';
import { NOW } from '../system/properties/world.ts';

const event = { sport: 'nfl', league: 'nfl', starts_at: '2026-09-10T18:00:00Z' };
const participants = [
  { role: 'home', name: 'Chiefs' },
  { role: 'away', name: 'Bills' },
];
const scheduleOf = (source: string): Message => ({
  kind: 'schedule',
  source,
  at: '2026-09-01T00:00:00Z',
  ref: `${source}-1`,
  ...event,
  participants,
});
const score: Message = { kind: 'score', source: 'a', at: '2026-09-10T19:00:00Z', ref: 'a-1', status: 'inprogress' };
const byMatch: Message = {
  kind: 'score',
  source: 'c',
  at: '2026-09-10T20:00:00Z',
  match: { ...event, home: 'Chiefs', away: 'Bills' },
  status: 'suspended',
};

/** Ports of which one call fails, once, when it is told to: before its work, or after it. */
function failing(of: 'appendAll' | 'confirmClaimed' | 'flush', after: boolean, then?: 'reset') {
  const next = { fails: false, failsThen: false };
  const wrap = <Port extends object>(port: Port): Port =>
    new Proxy(port, {
      get(target, name) {
        const member = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        if (name === then && next.failsThen) {
          return async () => {
            next.failsThen = false;
            throw new Error('lost too');
          };
        }
        if (name !== of || !next.fails) return member.bind(target);
        return async (...args: unknown[]) => {
          next.fails = false;
          next.failsThen = then !== undefined;
          if (after) await member.apply(target, args);
          throw new Error('lost');
        };
      },
    });
  const around: ServerOptions['around'] = ({ log, identities }: { log: EventLog; identities: Identities }) => ({
    log: wrap(log),
    identities: wrap(identities),
  });
  return { around, next };
}

it('given an id that a crash left without an event, when another source makes the event first, then the ref finds it', async () => {
  const { around, next } = failing('appendAll', false);
  await withServer({ time: NOW, around }, async (server) => {
    next.fails = true;
    await expect(server.accept([scheduleOf('a')])).rejects.toThrow('lost');
    for (const message of [scheduleOf('b'), scheduleOf('a'), score]) {
      expect((await server.accept([message]))[0]).toMatchObject({ status: 'accepted' });
    }
    await server.restart();
    const live = { ...score, at: '2026-09-10T21:00:00Z', period: '2' };
    expect((await server.accept([live]))[0]).toMatchObject({ status: 'accepted' });
  });
});

it.each(['appendAll', 'confirmClaimed'] as const)(
  'given an answer of %s that got lost, when the batch is sent again, then nothing waits that is in the log',
  async (of) => {
    const { around, next } = failing(of, true);
    await withServer({ time: NOW, around }, async (server) => {
      expect((await server.accept([byMatch]))[0]).toMatchObject({ status: 'quarantined' });
      next.fails = true;
      await expect(server.accept([scheduleOf('a')])).rejects.toThrow('lost');
      await server.accept([scheduleOf('a')]);
      expect(await server.waiting()).toEqual([]);
      await server.projected();
      expect(await server.ask('list_events', {})).toMatchObject({ events: [{ status: 'suspended' }] });
    });
  },
);

it('given a batch that failed, and failed to give back what it took, when another is taken, then that still waits', async () => {
  const { around, next } = failing('flush', false, 'reset');
  await withServer({ time: NOW, around }, async (server) => {
    expect((await server.accept([byMatch]))[0]).toMatchObject({ status: 'quarantined' });
    next.fails = true;
    await expect(server.accept([scheduleOf('a')])).rejects.toThrow(/^lost$/);
    expect((await server.accept([{ ...score, source: 'x', ref: 'x-1' }]))[0]).toMatchObject({ status: 'quarantined' });
    expect(await server.waiting()).toHaveLength(2);
    await server.accept([scheduleOf('a')]);
    expect(await server.waiting()).toHaveLength(1);
    await server.projected();
    expect(await server.ask('list_events', {})).toMatchObject({ events: [{ status: 'suspended' }] });
  });
});

const injury: Message = {
  kind: 'injury',
  source: 'd',
  at: '2026-09-02T00:00:00Z',
  sport: 'nfl',
  league: 'nfl',
  team: 'Chiefs',
  player: 'Nobody Knows Him',
  status: 'out',
};

it.each([true, false])(
  'fault 22: given an injury that waits for its team, when what makes the team known never reaches the log and is sent again, then the injury is taken (after a crash: %s)',
  async (crashes) => {
    const { around, next } = failing('appendAll', false);
    await withServer({ time: NOW, around }, async (server) => {
      expect((await server.accept([injury]))[0]).toMatchObject({ status: 'quarantined' });
      next.fails = true;
      await expect(server.accept([scheduleOf('a')])).rejects.toThrow('lost');
      if (crashes) await server.restart();
      await server.accept([scheduleOf('a')]);
      expect((await server.records()).map(({ type }) => type)).toContain('InjuryReported');
      expect((await server.accept([injury]))[0]).toMatchObject({ status: 'unchanged' });
      // It waits on for its player, and for nothing else.
      expect(await server.identities.listQuarantineKeys(null, 10)).toEqual(['name|player|nfl|nobodyknowshim']);
    });
  },
);

it('given a schedule that very many wait for, when an append in the middle of them fails, then all are taken up with the next batch', async () => {
  let appends = 0;
  let failsAt = 0;
  const around: ServerOptions['around'] = ({ log, identities }) => ({
    log: {
      ...log,
      appendAll: async (all) => {
        if (++appends === failsAt) throw new Error('lost');
        return log.appendAll(all);
      },
    },
    identities,
  });
  await withServer({ time: NOW, around }, async (server) => {
    const scores = Array.from({ length: 3 * MAX_RETRIED_PER_BATCH }, (_, n) => ({
      ...score,
      at: new Date(Date.parse('2026-09-10T19:00:00Z') + n * 1000).toISOString(),
    }));
    await server.accept(scores);
    expect(await server.waiting()).toHaveLength(scores.length);
    appends = 0;
    failsAt = 3;
    expect(await server.accept([scheduleOf('a')])).toMatchObject([{ status: 'accepted' }]);
    expect(appends).toBe(3);
    expect(await server.waiting()).toHaveLength(MAX_RETRIED_PER_BATCH);
    await server.accept([byMatch]);
    expect(await server.waiting()).toEqual([]);
    expect(await server.accept(scores)).toEqual(scores.map((_, n) => ({ line: n + 1, status: 'unchanged' })));
  });
});
