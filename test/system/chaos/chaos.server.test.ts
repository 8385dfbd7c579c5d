import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createClient } from '../../../src/api/client/index.ts';
import { upcast } from '../../../src/domain/upcasters.ts';
import { openEventStoreLog } from '../../../src/event-log/eventstore/eventstore-log.ts';
import { topicsWithPrefix } from '../../../src/messaging/broker/topics.ts';
import { openKafkajsBroker } from '../../../src/messaging/kafkajs/kafkajs-client.ts';
import { startServer, temporaryFolder } from '../../server/cli/launching.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { within } from '../../support/within.ts';
import { seeded } from '../kill/generated-feed.ts';
import { waitUntilNoneIsAbandoned, waitUntilTopicIngested } from './all-ingested.ts';
import { type Called, calling, expectKnownAnswer } from './calling.ts';
import { expectChargedOnce } from './charged-once.ts';
import { disturb, disturbances } from './disturbing.ts';
import { fed, told, toldAndShown } from './feeding.ts';
import { liveFact, liveSchedules, type Message, pastGames } from './histories-and-scores.ts';
import { allChanges, expectPublishedInOrder, missing } from './published-changes.ts';
import { expectSameAnswers, listedEvents, seenAnswers } from './seen-answers.ts';
import { watchScores } from './watching-scores.ts';
import { receiveWebhooks } from './webhook-receiver.ts';
import { BOOTSTRAP_KEY, INGEST_KEY, startWholeCluster, type WholeCluster, withoutEngines } from './whole-cluster.ts';

/** `ROUNDS=100 SEED=n` for a long run of a known order. It takes half a minute a round. */
const ROUNDS = Number(process.env['ROUNDS'] ?? 10);
const SEED = Number(process.env['SEED'] ?? Math.floor(Math.random() * 1e9));
/** Of groups. As the command sets it, a busy machine takes partitions from processes that nobody has disturbed. */
const SESSION_SECONDS = 4;
/** Longer than that and every lease (8 s). */
const PAUSE_MS = 9000;
const GAMES_A_ROUND = 2;
const LIVE_GAMES = 4;
const LIVE_EVERY_MS = 800;
/** What one step of the test takes at most, on a machine that does other work too. */
const STEP_MS = 240_000;
/** Of facts that nobody has taken yet. A source that told on without end would only hold up a machine that is behind. */
const MOST_HELD_UP = 6;
const CREDITS = 1_000_000;

const TWO_OF_EACH = { api: 2, ingest: 2, projector: 2, webhooks: 2, relay: 2, intelligence: 2 };

/** Facts of the live games, as time goes by, until the signal. */
async function playing(send: (fact: Message) => Promise<void>, random: () => number, signal: AbortSignal) {
  const counts = Array.from({ length: LIVE_GAMES }, () => 0);
  const facts: Message[] = [];
  const sending: Promise<void>[] = [];
  const heldUp = new Set<Promise<void>>();
  let last = 0;
  while (!signal.aborted) {
    while (heldUp.size >= MOST_HELD_UP) await Promise.race(heldUp);
    const game = Math.floor(random() * LIVE_GAMES);
    last = Math.max(last + 1, Date.now());
    const fact = liveFact(game, ++counts[game]!, last);
    facts.push(fact);
    // Those that are held up come late, after newer ones.
    const sent = send(fact).finally(() => heldUp.delete(sent));
    sent.catch(() => {});
    heldUp.add(sent);
    sending.push(sent);
    await delay(LIVE_EVERY_MS * random());
  }
  await Promise.all(sending);
  return facts;
}

/** One server with stores of its own, that is told the same. */
async function undisturbed(messages: readonly Message[]) {
  const server = await startServer(temporaryFolder(), { INGEST_KEY, BOOTSTRAP_KEY });
  await toldAndShown(server.url, messages);
  const answers = await seenAnswers(server.url);
  server.child.kill('SIGTERM');
  await server.ended;
  return answers;
}

async function keysOf(cluster: WholeCluster) {
  const emails = ['one@example.test', 'one@example.test', 'two@example.test', 'three@example.test'];
  const callers = [];
  for (const [n, email] of emails.entries()) {
    callers.push(await cluster.createKey(email, emails.indexOf(email) === n ? CREDITS : null));
  }
  return { callers, granted: new Map(callers.map(({ account }) => [account, CREDITS])) };
}

describe.skipIf(withoutEngines !== '')(`a cluster of two processes a role${withoutEngines}`, () => {
  it(`is as one server in the end, after ${ROUNDS} deaths and pauses (SEED ${SEED})`, {
    timeout: patientTimeout(200_000 + ROUNDS * 30_000),
  }, async () => {
    const random = seeded(SEED);
    const begun = Date.now();
    const said = (what: string) => console.log(`${Math.round((Date.now() - begun) / 1000)} s: ${what}`);
    const soon = <T>(what: string, promise: Promise<T>) => within(STEP_MS, what, promise);
    const settings = { WEBHOOK_ALLOW: '127.0.0.0/8', GROUP_SESSION_SECONDS: String(SESSION_SECONDS) };
    const cluster = await soon('the start', startWholeCluster(TWO_OF_EACH, settings));
    const { url } = cluster;
    const past = pastGames(SEED, GAMES_A_ROUND * ROUNDS);
    const schedules = liveSchedules(LIVE_GAMES, begun);
    // Some of the past, so that there is something to ask for.
    const first = past.splice(0, Math.ceil(past.length / 10));
    await soon('the first facts', toldAndShown(url, [...schedules, ...first]));
    const events = await listedEvents(url);
    const live = [...events].filter(([name]) => name.includes('Live')).map(([, id]) => id);
    expect(live).toHaveLength(LIVE_GAMES);

    said('begun');
    const { callers, granted } = await keysOf(cluster);
    const broker = openKafkajsBroker({ url: cluster.address('broker') });
    const producer = broker.openProducer();
    const receiver = await receiveWebhooks();
    const client = createClient({ baseUrl: url, apiKey: BOOTSTRAP_KEY, maxRetries: 10 });
    const since = (await allChanges(url)).length;
    await client.createWebhook({ url: receiver.url, event_types: ['score', 'status', 'line_move'] });

    const over = new AbortController();
    const { signal } = over;
    const watched = live.map((event) => watchScores(url, event, signal));
    const calls: Called[] = [];
    const onCalled = (called: Called) => {
      expectKnownAnswer(called);
      calls.push(called);
    };
    const clients = calling({
      url,
      callers,
      seed: SEED,
      pauseMs: 1500,
      onCalled,
      signal,
      events: [...events.values()],
    });
    const feeding = { url, producer, topic: topicsWithPrefix().ingest, random };
    const playingEnds = new AbortController();
    const live_ = playing((fact) => fed([fact], feeding), random, playingEnds.signal);

    const dealt = disturbances(ROUNDS, random);
    const each = Math.ceil(past.length / ROUNDS);
    for (const [round, disturbance] of dealt.entries()) {
      const at = performance.now();
      const filling = fed(past.slice(round * each, (round + 1) * each), feeding);
      await delay(random() * 500);
      await disturb(cluster, disturbance, PAUSE_MS, random).catch((error: Error) => {
        throw new Error(`round ${round}, ${disturbance.kind} of ${disturbance.role}: ${error.message}`);
      });
      await soon(`facts of round ${round}`, filling);
      console.log(JSON.stringify({ round, ...disturbance, seconds: Math.round((performance.now() - at) / 100) / 10 }));
    }
    said('disturbed');
    playingEnds.abort();
    const facts = await soon('facts of games in play', live_);
    over.abort();
    await soon('the last calls', clients);
    const messages = [...schedules, ...first, ...past, ...facts];

    await waitUntilTopicIngested(cluster);
    await waitUntilNoneIsAbandoned(cluster);

    // What was acknowledged is there. In pieces, so that one that was not is named.
    const unknown: Message[] = [];
    for (let from = 0; from < messages.length; from += 10) {
      const piece = messages.slice(from, from + 10);
      const { accepted } = await soon('facts again', told(url, piece));
      if (accepted !== 0) unknown.push(...piece);
    }
    expect(unknown, 'one of each ten of these was accepted again').toEqual([]);
    const again = await soon('all facts again', toldAndShown(url, messages));
    expect(again).toMatchObject({ received: messages.length, accepted: 0, rejected: 0 });
    said('told again');
    const expected = await soon('one server', undisturbed(messages));
    const seen = await soon('all answers', expectSameAnswers(url, expected));
    said('compared');

    const log = openEventStoreLog({ url: cluster.address('event-log'), upcast });
    const books = await soon('the ledgers', expectChargedOnce(log, url, calls, granted));
    await log.close();
    said('charges counted');

    const changes = (await soon('the changes', allChanges(url)))
      .slice(since)
      .filter(({ type }) => /score|status|line_move/.test(type));
    await expect.poll(() => missing(changes, receiver.arrived).length, { timeout: patientTimeout(30_000) }).toBe(0);
    expectPublishedInOrder(changes, receiver.arrived);

    for (const { event, scores, over: ended } of watched) {
      await soon(`the end of the stream of ${event}`, ended);
      expect(scores.length, `scores of ${event}`).toBeGreaterThan(ROUNDS);
      expect(scores, `scores of ${event}`).toEqual([...scores].sort((a, b) => a - b));
    }
    await soon('the producer', producer.close());
    await soon('the broker', broker.close());
    const statuses: Record<string, number> = {};
    for (const { status } of calls) statuses[String(status)] = (statuses[String(status)] ?? 0) + 1;
    console.log(
      JSON.stringify({
        rounds: ROUNDS,
        seed: SEED,
        seconds: Math.round((Date.now() - begun) / 1000),
        statuses,
        ...books,
        seen,
        messages: messages.length,
        changes: changes.length,
        arrived: receiver.arrived.length,
      }),
    );
  });
});
