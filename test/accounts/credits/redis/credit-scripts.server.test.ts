import { setTimeout, setImmediate as turn } from 'node:timers/promises';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  decideGift,
  decideInvoiceDeclined,
  decideInvoicePaid,
  decidePaidRestOfMonth,
} from '../../../../commands/billing-decisions.ts';
import { decideRefund, decideTopUp } from '../../../../commands/credit-decisions.ts';
import { balances } from '../../../../projections/accounts/balances.ts';
import type { Credits, Hold } from '../../../../src/accounts/credits/credits.ts';
import { createLocalCredits } from '../../../../src/accounts/credits/local-credits.ts';
import { openRedisCredits, type RedisCredits } from '../../../../src/accounts/credits/redis/redis-credits.ts';
import { ApiError } from '../../../../src/api/calls/api-errors.ts';
import type { AnsweredCall } from '../../../../src/domain/accounts/account-event-data.ts';
import { GIFT_KINDS, type GiftKind } from '../../../../src/domain/accounts/account-event-data.ts';
import type { LedgerEvent, LedgerRecord } from '../../../../src/domain/accounts/account-events.ts';
import type { Ledger } from '../../../../src/domain/accounts/credit-ledger.ts';
import type { AccountTerms } from '../../../../src/domain/accounts/credit-terms.ts';
import { formatTime, HOUR, monthOf } from '../../../../src/domain/primitives/time.ts';
import type { EventLog } from '../../../../src/event-log/port/event-log.ts';
import { createMemoryLog } from '../../../../src/event-log/storage/memory-log.ts';
import type { RedisConnection } from '../../../../src/platform/redis-connection.ts';
import { createScript } from '../../../../src/platform/redis-connection.ts';
import { createMemoryStore } from '../../../../src/read-models/store/memory-store.ts';
import { type RedisServer, redisTitle, startRedis, whyNoRedis } from '../../../platform/redis/redis-server.ts';
import { chargesIn } from '../../recorded-calls.ts';

const START = Date.parse('2026-01-30T20:00:00Z');
const base = {
  accountId: 1,
  createdAt: START,
  monthlyCredits: 0,
  creditsExpireHours: null,
  dailyCap: null,
  order: null,
};
const free: AccountTerms = { ...base, plan: 'free', initialCredits: 30, dailyCap: 10 };
const TERMS: readonly AccountTerms[] = [
  free,
  { ...base, plan: 'trial', initialCredits: 15, creditsExpireHours: 24 },
  { ...base, plan: 'growth', initialCredits: 0, monthlyCredits: 20 },
  { ...base, plan: 'growth', initialCredits: 0, monthlyCredits: 20, monthlyUntil: Date.UTC(2026, 1) },
  { ...base, plan: 'both', initialCredits: 6, creditsExpireHours: 60, monthlyCredits: 9, dailyCap: 12 },
  { ...base, plan: 'enterprise', initialCredits: null },
  { ...free, order: { credits: 12, at: START + HOUR } },
];

type Step =
  | { readonly do: 'reserve'; readonly most: number; readonly by: number }
  | { readonly do: 'charge'; readonly which: number; readonly share: number }
  | { readonly do: 'release'; readonly which: number }
  | { readonly do: 'wait'; readonly minutes: number }
  | { readonly do: 'terms'; readonly which: number }
  | { readonly do: 'buy'; readonly credits: number; readonly payment: number }
  | { readonly do: 'give'; readonly kind: GiftKind; readonly credits: number; readonly which: number }
  | { readonly do: 'rest'; readonly credits: number; readonly payment: number }
  | { readonly do: 'refund'; readonly which: number }
  | { readonly do: 'decline'; readonly invoice: number }
  | { readonly do: 'pay' }
  | { readonly do: 'restart' }
  | { readonly do: 'lose' };

const kind = <Kind extends Step['do']>(does: Kind) => ({ do: fc.constant(does) });
const halves = (max: number) => fc.integer({ min: 1, max }).map((count) => count / 2);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 12, arbitrary: fc.record({ ...kind('reserve'), most: halves(16), by: fc.nat(1) }) },
  {
    weight: 10,
    arbitrary: fc.record({ ...kind('charge'), which: fc.nat(20), share: fc.constantFrom(0, 0.5, 1, 1, 1) }),
  },
  { weight: 3, arbitrary: fc.record({ ...kind('release'), which: fc.nat(20) }) },
  { weight: 5, arbitrary: fc.record({ ...kind('wait'), minutes: fc.integer({ min: 0, max: 1500 }) }) },
  { weight: 2, arbitrary: fc.record({ ...kind('terms'), which: fc.nat(TERMS.length - 1) }) },
  { weight: 2, arbitrary: fc.record({ ...kind('buy'), credits: halves(12), payment: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      ...kind('give'),
      kind: fc.constantFrom(...GIFT_KINDS),
      credits: halves(12),
      which: fc.nat(9),
    }),
  },
  { weight: 1, arbitrary: fc.record({ ...kind('rest'), credits: halves(12), payment: fc.nat(9) }) },
  { weight: 1, arbitrary: fc.record({ ...kind('refund'), which: fc.nat(20) }) },
  { weight: 1, arbitrary: fc.record({ ...kind('decline'), invoice: fc.nat(3) }) },
  { weight: 1, arbitrary: fc.record(kind('pay')) },
  { weight: 1, arbitrary: fc.record(kind('restart')) },
  { weight: 1, arbitrary: fc.record(kind('lose')) },
);

/** All that is held expires with the month, is let go of, and the server forgets it. */
const FORGOTTEN_EXPIRIES: readonly Step[] = [
  { do: 'terms', which: 1 },
  { do: 'wait', minutes: 1413 },
  { do: 'reserve', most: 8, by: 0 },
  { do: 'reserve', most: 2.5, by: 1 },
  { do: 'give', kind: 'reward', credits: 2, which: 4 },
  { do: 'reserve', most: 5.5, by: 0 },
  { do: 'charge', which: 18, share: 0 },
  { do: 'reserve', most: 3, by: 1 },
  { do: 'reserve', most: 5, by: 1 },
  { do: 'wait', minutes: 1356 },
  { do: 'reserve', most: 5, by: 1 },
  { do: 'wait', minutes: 1259 },
  { do: 'lose' },
  { do: 'reserve', most: 1.5, by: 0 },
  { do: 'reserve', most: 2, by: 1 },
  { do: 'lose' },
  { do: 'release', which: 20 },
  { do: 'charge', which: 11, share: 1 },
  { do: 'reserve', most: 1, by: 1 },
  { do: 'terms', which: 4 },
  { do: 'wait', minutes: 640 },
  { do: 'release', which: 10 },
  { do: 'reserve', most: 3, by: 1 },
  { do: 'decline', invoice: 2 },
];

const FORGET_ALL = createScript("redis.call('FLUSHALL')");

/**
 * By then what follows from a step has been done here, where all is in memory, and has come to the server. Time alone is
 * not enough: this process may be kept waiting, and then has had no turn.
 */
const TURNS = 20;
async function quiet(): Promise<void> {
  await setTimeout(1);
  for (let turns = 0; turns < TURNS; turns++) await turn();
}

type Outcome = { readonly hold: Hold } | { readonly refusal: unknown };

/** A call at both of them. */
interface Asked {
  readonly most: number;
  /** Which process. */
  readonly by: number;
  readonly here: Promise<Outcome>;
  readonly there: Promise<Outcome>;
  /** Once the ledger's own rules have let it pass, or refused it. */
  isSettled: boolean;
}

const outcome = async (reserving: () => Hold | Promise<Hold>): Promise<Outcome> => {
  try {
    return { hold: await reserving() };
  } catch (error) {
    expect(error).toBeInstanceOf(ApiError);
    const { code, message, extras } = error as ApiError;
    return { refusal: { code, message, extras } };
  }
};

/**
 * What its records tell, charge by charge. What expires of a grant at one moment is one sum: it expires call by call as
 * the calls let go of it, and all at once where a server had forgotten that it did.
 */
async function told(log: EventLog): Promise<readonly unknown[]> {
  const records = (await log.readStream('account-1')) as readonly LedgerRecord[];
  const entries: unknown[] = [];
  const expired = new Map<string, { credits: number }>();
  for (const record of records) {
    if (record.type === 'CreditsCharged') {
      entries.push(...record.data.charges.map((charge) => ({ ...charge, unlimited: record.data.unlimited })));
    } else if (record.type === 'CreditsExpired') {
      const { grant, at, credits } = record.data;
      const known = expired.get(`${grant} ${at}`);
      const entry = known ?? { type: record.type, ...record.data, credits: 0 };
      entry.credits += credits;
      if (!known) entries.push(entry);
      expired.set(`${grant} ${at}`, entry);
    } else entries.push({ type: record.type, ...record.data });
  }
  return entries;
}

describe.skipIf(whyNoRedis !== undefined)(redisTitle('the scripts and the rules of the ledger'), () => {
  let server: RedisServer;
  let connection: RedisConnection;
  let lives = 0;
  beforeAll(async () => {
    server = await startRedis();
    connection = await server.connect();
  });
  afterAll(() => server.stop());

  async function play(steps: readonly Step[]): Promise<void> {
    let time = START;
    const now = () => time;
    const common = { now, steadyNow: () => performance.now(), onError() {} };
    const [logHere, logThere] = [createMemoryLog({ now }), createMemoryLog({ now })];
    const store = createMemoryStore();
    await store.prepare(balances, 'v1');
    const prefix = `play-${++lives}:`;
    const later = (callback: () => void) => void setImmediate(callback);
    const openHere = (): Credits =>
      createLocalCredits({ ...common, log: logHere, store, later, writerId: `here-${++lives}` });
    const openThere = (): RedisCredits =>
      openRedisCredits({
        ...common,
        connection,
        log: logThere,
        store,
        later,
        prefix,
        graceMs: 0,
        writerId: `there-${++lives}`,
      });
    let here = openHere();
    const there = [openThere(), openThere()];
    let terms = free;
    let held: { readonly most: number; readonly here: Hold; readonly there: Hold }[] = [];
    let waiting: Asked[] = [];
    let calls = 0;

    const call = (): AnsweredCall => ({
      at: formatTime(time),
      keyId: 1,
      operation: 'test',
      requestId: `r${++calls}`,
      status: 200,
      milliseconds: 0,
    });

    /** Those who waited and wait no more, at both. */
    async function drain(): Promise<void> {
      await quiet();
      for (const one of waiting.filter(({ isSettled }) => isSettled)) {
        const [mine, other] = await Promise.all([one.here, one.there]);
        if ('hold' in mine && 'hold' in other) held.push({ most: one.most, here: mine.hold, there: other.hold });
        else expect(other).toEqual(mine);
        waiting = waiting.filter((asked) => asked !== one);
      }
    }

    async function releaseAll(): Promise<void> {
      for (let rounds = 0; held.length > 0 || waiting.length > 0; rounds++) {
        // Each round lets go on who waits first.
        expect(rounds).toBeLessThan(100);
        const all = held;
        held = [];
        for (const hold of all) await Promise.all([hold.here.release(), hold.there.release()]);
        await drain();
      }
      await connection.settled();
    }

    async function record(decide: (ledger: Readonly<Ledger>) => readonly LedgerEvent[]): Promise<void> {
      await Promise.all([here.record(terms, decide), there[0]!.record(terms, decide)]);
    }

    for (const one of steps) {
      switch (one.do) {
        case 'reserve': {
          const { most } = one;
          // In which order those of several processes get what comes free is not promised.
          const by = waiting[0]?.by ?? one.by;
          const asked: Asked = {
            most,
            isSettled: false,
            here: outcome(() => here.reserve(terms, most)),
            there: outcome(() => there[by]!.reserve(terms, most)),
            by,
          };
          void asked.here.then(() => {
            asked.isSettled = true;
          });
          waiting.push(asked);
          await quiet();
          // Refused by the one, it must be by the other; let pass by the one, it must be by the other.
          if (asked.isSettled) await asked.there;
          break;
        }
        case 'charge': {
          const [taken] = held.splice(one.which % Math.max(1, held.length), 1);
          if (!taken) break;
          const cost = Math.round(taken.most * one.share * 2) / 2;
          const charged = call();
          await Promise.all([taken.here.charge(charged, cost), taken.there.charge(charged, cost)]);
          break;
        }
        case 'release': {
          const [taken] = held.splice(one.which % Math.max(1, held.length), 1);
          if (taken) await Promise.all([taken.here.release(), taken.there.release()]);
          break;
        }
        case 'wait':
          // Time alone wakes nobody in one process.
          if (waiting.length > 0) await releaseAll();
          time += one.minutes * 60_000 + 7;
          break;
        case 'terms':
          await releaseAll();
          terms = TERMS[one.which]!;
          break;
        case 'buy': {
          const { payment, credits } = one;
          const pack = { accountId: 1, credits, packId: 1, payment: `p${payment}`, priceCents: 100, currency: 'usd' };
          await record((ledger) => decideTopUp(ledger, pack, time));
          break;
        }
        case 'give': {
          const gift = { accountId: 1, grant: `${one.kind}.${one.which}`, kind: one.kind, credits: one.credits };
          await record((ledger) => decideGift(ledger, gift, time));
          break;
        }
        case 'rest': {
          const rest = { accountId: 1, plan: 'growth', month: monthOf(time), credits: one.credits, by: null };
          await record((ledger) => decidePaidRestOfMonth(ledger, { ...rest, payment: `p${one.payment}` }, time));
          break;
        }
        case 'refund': {
          await here.flush();
          const charges = chargesIn(await logHere.readStream('account-1'));
          const charge = charges[one.which % Math.max(1, charges.length)];
          if (charge) await record((ledger) => decideRefund(1, ledger, charge, 'why', time));
          break;
        }
        case 'decline': {
          const invoice = { accountId: 1, invoice: `i${one.invoice}`, hostedInvoiceUrl: null };
          await record((ledger) => decideInvoiceDeclined(ledger, invoice, time));
          break;
        }
        case 'pay':
          await record((ledger) => decideInvoicePaid(ledger, { accountId: 1, invoice: 'i1' }, time));
          break;
        case 'restart':
          await releaseAll();
          await Promise.all([here.flush(), there[0]!.close()]);
          here = openHere();
          there[0] = openThere();
          break;
        case 'lose':
          await releaseAll();
          await connection.run(FORGET_ALL, [], []);
          break;
      }
      await drain();
      await connection.settled();
      expect(await there[calls % 2]!.remaining(terms)).toBe(await here.remaining(terms));
    }
    await releaseAll();
    await Promise.all([here, ...there].map((credits) => credits.flush()));
    const [ofHere, ofThere] = [await here.balance(terms), await there[1]!.balance(terms)];
    expect(ofThere).toEqual(ofHere);
    await Promise.all([here, ...there].map((credits) => credits.flush()));
    expect(await told(logThere)).toEqual(await told(logHere));
    await Promise.all(there.map((credits) => credits.close()));
  }

  it('decide the same on whatever ledger: who passes, who waits, who is refused and why, what is charged', async () => {
    const steps = fc.array(step, { minLength: 10, maxLength: 60 });
    await fc.assert(fc.asyncProperty(steps, play), {
      numRuns: Number(process.env['LEDGER_RUNS'] ?? 150),
      // To find a smaller one takes minutes: those who look for it turn this off.
      endOnFailure: true,
      // Found what expired call by call here, and at once there.
      examples: [[FORGOTTEN_EXPIRIES]],
    });
  });
});
