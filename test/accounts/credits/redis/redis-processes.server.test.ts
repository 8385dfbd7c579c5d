import { setTimeout } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readLedgerRecords } from '../../../../src/accounts/credits/ledger-reader.ts';
import { applyLedgerRecord, newLedger } from '../../../../src/domain/accounts/credit-ledger.ts';
import type { AccountTerms } from '../../../../src/domain/accounts/credit-terms.ts';
import { UnavailableError } from '../../../../src/domain/primitives/domain-errors.ts';
import type { EventLog } from '../../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../../src/event-log/storage/memory-log.ts';
import { randomOf } from '../../../api/fuzz/random.ts';
import { buildProgram, type OtherProcess, type Program, startOther } from '../../../platform/redis/other-process.ts';
import type { AtWork, Told, Work } from '../../../platform/redis/process-at-work.ts';
import { type RedisServer, redisTitle, startRedis, whyNoRedis } from '../../../platform/redis/redis-server.ts';
import { patientTimeout } from '../../../support/patient-timeout.ts';

const terms: AccountTerms = {
  accountId: 1,
  createdAt: Date.parse('2026-01-30T20:00:00Z'),
  plan: 'payg',
  initialCredits: 200,
  monthlyCredits: 0,
  creditsExpireHours: null,
  dailyCap: null,
  order: null,
};
const work: Work = { kind: 'charge', calls: 200, atOnce: 8, terms, most: 2, takes: 3 };

describe.skipIf(whyNoRedis !== undefined)(redisTitle('credits of several processes on one Redis server'), () => {
  let server: RedisServer;
  let program: Program;
  let log: EventLog;
  let others: OtherProcess[] = [];
  const start = async (
    name: string,
    at: Partial<AtWork> = {},
    its: Pick<EventLog, 'appendAll' | 'readStream'> = log,
  ) => {
    const other = await startOther(program, { url: server.url, name, ...at }, its);
    others.push(other);
    return other;
  };
  beforeAll(async () => {
    program = await buildProgram();
  });
  beforeEach(async () => {
    server = await startRedis();
    log = createMemoryLog({ now: Date.now });
  });
  afterEach(async () => {
    await Promise.all(others.map((other) => other.end()));
    others = [];
    await server.stop();
  });
  afterAll(() => program.remove());

  /** What stands in the log of each call, by its id, less what was taken back. */
  async function charged(): Promise<ReadonlyMap<string, number>> {
    const ledger = newLedger();
    const ofCalls = new Map<string, number>();
    for await (const record of readLedgerRecords(log, 1)) {
      applyLedgerRecord(ledger, record);
      expect(ledger.balance).toBeGreaterThanOrEqual(0);
      expect(ledger.grants.reduce((sum, { remaining }) => sum + remaining, 0)).toBe(ledger.balance);
      if (record.type === 'CreditsRefunded') ofCalls.delete(record.data.requestId);
      if (record.type !== 'CreditsCharged') continue;
      for (const { requestId, credits } of record.data.charges) {
        expect(ofCalls.has(requestId), `${requestId} is charged once`).toBe(false);
        ofCalls.set(requestId, credits);
      }
    }
    return ofCalls;
  }

  const answered = (told: readonly Told[]): ReadonlyMap<string, number> =>
    new Map(told.filter(({ outcome }) => outcome === 'answered').map(({ call, credits }) => [call, credits]));
  const sum = (credits: ReadonlyMap<string, number>): number =>
    [...credits.values()].reduce((all, one) => all + one, 0);
  const outcomes = (told: readonly Told[]): ReadonlySet<string> => new Set(told.map(({ outcome }) => outcome));
  const sorted = (credits: ReadonlyMap<string, number>) => [...credits].sort(([a], [b]) => (a < b ? -1 : 1));

  it('charge each answered call once, and spend exactly what there is', async () => {
    const both = await Promise.all([start('a'), start('b')]);
    // Either may be through before the other has begun: each has its first ten calls to itself.
    for (const one of both) await one.work({ ...work, calls: 10 });
    await Promise.all(both.map((one) => one.work({ ...work, calls: 190 })));
    const told = both.flatMap((one) => one.told);
    expect(told).toHaveLength(400);
    expect([...outcomes(told)].sort()).toEqual(['answered', 'insufficient_credits']);
    const inLog = await charged();
    expect(sorted(inLog)).toEqual(sorted(answered(told)));
    expect(sum(inLog)).toBeGreaterThan(198);
    // Both have had their part.
    for (const one of both) expect(answered(one.told).size).toBeGreaterThanOrEqual(10);
  });

  it('let go of what a process held that was killed, within 10 seconds', async () => {
    const [a, b] = await Promise.all([start('a'), start('b')]);
    const begun = a.work({ ...work, takes: 60_000, atOnce: 100 });
    // Once all is held back nobody else gets any.
    let early: readonly Told[];
    do early = await b.work({ ...work, calls: 1 });
    while (!outcomes(early).has('unavailable'));
    await a.end();
    const killed = performance.now();
    await begun;
    let told: readonly Told[];
    do told = await b.work({ ...work, calls: 1 });
    while (!outcomes(told).has('answered'));
    expect(performance.now() - killed).toBeLessThan(patientTimeout(10_000));
    expect(sorted(await charged())).toEqual(sorted(answered(b.told)));
  });

  it('charge nothing twice, and never too much, when one is killed or sleeps in the midst of it', async () => {
    const at = { leaseMs: 1000 };
    const names = ['a', 'b', 'c'];
    const [killed, sleeping, other] = await Promise.all(names.map((name) => start(name, at)));
    const all = [killed!, sleeping!, other!].map((one) => one.work({ ...work, calls: 300, takes: 10 }));
    while ((await charged()).size < 20) await setTimeout(5);
    sleeping!.signal('SIGSTOP');
    await killed!.end();
    // Longer than what it held was held back for it: others have spent it.
    while (!outcomes(other!.told).has('insufficient_credits')) await setTimeout(20);
    sleeping!.signal('SIGCONT');
    const begun = await Promise.all(all);
    // What the killed one was about to charge counts as spent until its lease is over, and can be spent then.
    await setTimeout(at.leaseMs);
    const told = [...begun, await other!.work({ ...work, calls: 30 })].flat();
    const inLog = await charged();
    const ofLiving = new Map([...inLog].filter(([call]) => !call.startsWith('a-')));
    expect(sorted(ofLiving)).toEqual(sorted(answered(told.filter(({ call }) => !call.startsWith('a-')))));
    for (const [call, credits] of answered(killed!.told)) expect(inLog.get(call)).toBe(credits);
    expect(sum(inLog)).toBeGreaterThan(198);
    expect([...outcomes(told)].filter((one) => one.startsWith('error'))).toEqual([]);
  });

  it.each([
    ['with its data', false],
    ['without any', true],
  ])(
    'stand whole when the server is killed and comes back %s',
    async (_, isEmpty) => {
      const rich = { ...terms, initialCredits: 600 };
      const both = await Promise.all([start('a', { graceMs: 4000 }), start('b', { graceMs: 4000 })]);
      const all = both.map((one) => one.work({ ...work, calls: 600, terms: rich, takes: 2 }));
      for (const rounds of [60, 200]) {
        while ((await charged()).size < rounds) await setTimeout(5);
        await server.kill();
        await server.startAgain(isEmpty);
      }
      const told = (await Promise.all(all)).flat();
      expect(sorted(await charged())).toEqual(sorted(answered(told)));
      expect([...outcomes(told)].sort()).toEqual(expect.arrayContaining(['answered', 'unavailable']));
      expect([...outcomes(told)].filter((one) => one.startsWith('error'))).toEqual([]);
      expect(Math.max(...told.map(({ milliseconds }) => milliseconds))).toBeLessThan(patientTimeout(5000));
      expect(sum(await charged())).toBeGreaterThan(598);
    },
    120_000,
  );

  it('count a charge once whose append was not answered, and take it back where its call was not', async () => {
    const random = randomOf(5);
    const far: typeof log = {
      ...log,
      async appendAll(appends) {
        const isLost = random.chance(0.3);
        if (isLost && random.chance(0.5)) throw new UnavailableError('the log did not answer');
        const outcome = await log.appendAll(appends);
        if (isLost) throw new UnavailableError('the log did not answer');
        return outcome;
      },
    };
    const both = await Promise.all([start('a', {}, far), start('b', {}, far)]);
    const told = (await Promise.all(both.map((one) => one.work(work)))).flat();
    expect(sorted(await charged())).toEqual(sorted(answered(told)));
    expect(sum(await charged())).toBeGreaterThan(198);
  });

  it('take back what a log that hung had taken all the same', async () => {
    let isHanging = false;
    const hung: (() => void)[] = [];
    const far: typeof log = {
      ...log,
      async appendAll(appends) {
        // It is taken, and nobody hears of it.
        const outcome = await log.appendAll(appends);
        if (isHanging) await new Promise<void>((resolve) => hung.push(resolve));
        return outcome;
      },
    };
    const a = await start('a', {}, far);
    expect(outcomes(await a.work({ ...work, calls: 3 }))).toEqual(new Set(['answered']));
    isHanging = true;
    const told = await a.work({ ...work, calls: 4, atOnce: 4 });
    expect(outcomes(told)).toEqual(new Set(['unavailable']));
    expect(Math.max(...told.map(({ milliseconds }) => milliseconds))).toBeLessThan(patientTimeout(5000));
    isHanging = false;
    for (const resolve of hung) resolve();
    while ((await charged()).size > 3) await setTimeout(20);
    let later: readonly Told[];
    do later = await a.work({ ...work, calls: 1 });
    while (!outcomes(later).has('answered'));
    expect(sorted(await charged())).toEqual(sorted(answered(a.told)));
  });
});
