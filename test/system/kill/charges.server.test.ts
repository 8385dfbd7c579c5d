import { setTimeout as delay } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { SHARED_LIMITS } from '../../../src/api/limits/limit-rules.ts';
import type { ChargedCall } from '../../../src/domain/accounts/account-event-data.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { type Answer, AT_ONCE, ask, callUntilGone, feedUntilGone, isPaid } from './charges-load.ts';
import { audited, mostWithin, readAccounts, sumOf } from './charges-log.ts';
import {
  command,
  createWorld,
  eventsThatAreOver,
  INGEST_KEY,
  kill,
  listening,
  type Server,
  type World,
} from './charges-world.ts';
import { seeded } from './generated-feed.ts';

const KILLS = Number(process.env['KILL_CHARGES'] ?? 5);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));
const MINUTE = 60_000;

/** What came of each request, as far as the client knows. */
class Books {
  readonly answers = new Map<string, Answer>();
  readonly killedAt: number[] = [];
  sent = 0;
  /** Windows that were found to hold calls of before a restart. */
  windows = 0;

  readonly take = (answer: Answer): void => {
    expect(this.answers.has(answer.requestId)).toBe(false);
    expect([200, 402, 404, 429], answer.body).toContain(answer.status);
    this.answers.set(answer.requestId, answer);
  };

  get paid(): readonly Answer[] {
    return [...this.answers.values()].filter(isPaid);
  }

  of(key: number): readonly Answer[] {
    return [...this.answers.values()].filter(({ caller }) => caller.keyId === key);
  }
}

/** The first call of a key after a restart: its window is what it was. */
function expectWindow(first: Answer, before: readonly Answer[], books: Books, about: string): void {
  if (!first.window) return;
  const counted = first.window.limit - first.window.remaining - 1;
  // The server has noted each call between its being sent and its being answered. What cost nothing may not have come
  // to the log before the kill; what was under way may have.
  const charged = before.filter((answer) => isPaid(answer) && answer.sentAt > first.receivedAt - MINUTE).length;
  const answered = before.filter(({ receivedAt }) => receivedAt > first.sentAt - MINUTE).length;
  const underWay = books.killedAt.filter((time) => time > first.sentAt - MINUTE).length * AT_ONCE;
  expect(counted, `window of key ${first.caller.keyId} ${about}`).toBeGreaterThanOrEqual(charged);
  expect(counted, `window of key ${first.caller.keyId} ${about}`).toBeLessThanOrEqual(answered + underWay);
  if (charged > 0) books.windows++;
}

/** The first calls after a restart, of all keys at once, tell what the log holds. */
async function expectRemembered({ callers, granted, folder }: World, server: Server, books: Books, about: string) {
  const before = new Map(callers.map(({ keyId }) => [keyId, books.of(keyId)]));
  const firsts = await Promise.all(
    callers.map((caller) => {
      const requestId = `first-${server.child.pid}-${caller.keyId}`;
      return ask(server.url, caller, requestId, { path: '/api/agent/credits' });
    }),
  );
  for (const first of firsts) {
    books.take(first);
    expect(first.status).toBe(200);
    const { account, keyId } = first.caller;
    expectWindow(first, before.get(keyId)!, books, about);
    const { total_remaining: told } = JSON.parse(first.body) as { total_remaining: number | null };
    // The grant itself is entered in company: an account that was never charged may not have it in the log yet.
    const left = async () => {
      const { granted: entered, charges } = (await readAccounts(folder, [account])).get(account)!;
      return granted.get(account) === null ? null : entered - sumOf(charges);
    };
    await expect.poll(left, { timeout: patientTimeout(20_000), message: `balance of ${account} ${about}` }).toBe(told);
    if (told !== null) expect(told).toBeGreaterThanOrEqual(0);
  }
}

/** The log has what the client has paid for, once, and what the audit tells is the log. */
async function expectCharged({ callers, granted, folder }: World, books: Books, about: string) {
  const ids = [...granted.keys()];
  const accounts = await readAccounts(folder, ids);
  const charged = new Map<string, ChargedCall>();
  for (const [id, { charges, free }] of accounts) {
    const twice = charges.filter((charge) => {
      const isKnown = charged.has(charge.requestId);
      charged.set(charge.requestId, charge);
      return isKnown;
    });
    expect(twice, `charged twice ${about}`).toEqual([]);
    expect(
      free.filter((requestId) => charged.has(requestId)),
      `free and charged ${about}`,
    ).toEqual([]);
    const grant = granted.get(id)!;
    const audit = await audited(folder, id);
    expect(
      audit.filter(({ type }) => type === 'CreditsCharged').map(({ request_id, credits }) => [request_id, -credits]),
    ).toEqual(charges.map(({ requestId, credits }) => [requestId, credits]));
    const left = grant === null ? null : grant - sumOf(charges);
    expect(audit.at(-1)?.balance ?? null, `audit of ${id} ${about}`).toBe(left);
    if (left !== null) expect(left).toBeGreaterThanOrEqual(0);
    for (const caller of callers) {
      const polls = charges.filter(({ keyId, budget }) => keyId === caller.keyId && budget === 'score_poll');
      // A second less, since a poll is counted some moments after it came in.
      const most = mostWithin(
        MINUTE - 1000,
        polls.map(({ at }) => Date.parse(at)),
      );
      expect(most, `score polls of key ${caller.keyId} ${about}`).toBeLessThanOrEqual(
        SHARED_LIMITS.score_poll.inWindow!,
      );
    }
  }
  const wrong = [...books.answers.values()].filter((answer) => {
    const charge = charged.get(answer.requestId);
    if (!isPaid(answer)) return charge !== undefined;
    return charge?.credits !== answer.credits || charge.keyId !== answer.caller.keyId;
  });
  expect(wrong, `answers that are not what was charged ${about}`).toEqual([]);
  return { accounts, charged };
}

it(`no charge is lost or made twice, killed ${KILLS} times (SEED ${SEED})`, {
  timeout: (2 + KILLS) * MINUTE,
}, async () => {
  const random = seeded(SEED);
  const world = await createWorld(SEED, 80 * KILLS);
  const books = new Books();
  let events: readonly number[] | undefined;
  let killedStarts = 0;
  for (let n = 1; n <= KILLS; n++) {
    const about = `before kill ${n} (SEED ${SEED})`;
    if (random() < 0.25) {
      const early = await listening(world);
      await delay(random() * 200);
      await kill(early);
      killedStarts++;
    }
    const server = await listening(world);
    if (n > 1) {
      await expectRemembered(world, server, books, about);
      await expectCharged(world, books, about);
    }
    events ??= await eventsThatAreOver(server);
    // The kill comes within the next few answers.
    const after = Math.floor(random() * 400);
    const wait = random() * 20;
    let answers = 0;
    const onAnswer = (answer: Answer) => {
      books.take(answer);
      if (answers++ === after) void delay(wait).then(() => server.child.kill('SIGKILL'));
    };
    const [sent] = await Promise.all([
      callUntilGone(server.url, world.callers, events, { seed: SEED + n, name: `k${n}`, onAnswer }),
      // In some rounds the server has a feed beside the calls.
      random() < 0.5 ? feedUntilGone(server.url, INGEST_KEY, n * 1_000_000) : undefined,
    ]);
    books.sent += sent;
    await kill(server);
    books.killedAt.push(Date.now());
  }
  const about = `at the end (SEED ${SEED})`;
  const server = await listening(world);
  await expectRemembered(world, server, books, about);
  const { accounts, charged } = await expectCharged(world, books, about);
  await server.has('\nready');
  server.child.kill('SIGTERM');
  expect((await server.ended).code).toBe(0);
  await command('verify', '--data-dir', world.folder);

  const { answers, sent, paid } = books;
  const received = [...charged.keys()].filter((requestId) => answers.has(requestId));
  const statuses: Record<number, number> = {};
  for (const { status } of answers.values()) statuses[status] = (statuses[status] ?? 0) + 1;
  const figures = {
    kills: KILLS,
    killedStarts,
    seed: SEED,
    requests: sent,
    answers: answers.size,
    statuses,
    paid: paid.length,
    charges: charged.size,
    chargesWithoutAnswer: charged.size - received.length,
    windows: books.windows,
    credits: sumOf([...accounts.values()].flatMap(({ charges }) => charges)),
  };
  console.log(JSON.stringify(figures));
  expect(received).toHaveLength(paid.length);
  expect(paid.length).toBeGreaterThan(KILLS);
  expect(books.windows).toBeGreaterThan(0);
});
