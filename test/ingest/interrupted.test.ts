import { expect, it } from 'vitest';
import type { Identities } from '../../src/identities/identities.ts';
import type { EventLog } from '../../src/log/event-log.ts';
import { type Message, type ServerOptions, withServer } from '../properties/small-server.ts';
import { NOW } from '../properties/world.ts';

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
function failing(of: 'appendAll' | 'confirmTaken' | 'flush', after: boolean, then?: 'reset') {
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

it.each(['appendAll', 'confirmTaken'] as const)(
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
