import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../../../src/api/client/index.ts';
import { upcast } from '../../../src/domain/upcasters.ts';
import { openEventStoreLog } from '../../../src/event-log/eventstore/eventstore-log.ts';
import { ENGINE_NAMES, type EngineName } from '../../../src/platform/settings/engine-settings.ts';
import { openStream } from '../../api/streams/sse-client.ts';
import { eventually } from '../../server/cluster/toy-cluster.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import { type ClusterEndpoints, expectWhileUnavailable } from './answers-while-unavailable.ts';
import type { Called } from './calling.ts';
import { expectChargedOnce } from './charged-once.ts';
import { loseData, pidOf, recovered, signalEngine, startedAgain } from './engine-outages.ts';
import { toldAndShown } from './feeding.ts';
import { liveFact, liveSchedules, type Message } from './histories-and-scores.ts';
import { allChanges, expectPublishedInOrder, missing } from './published-changes.ts';
import { listedEvents } from './seen-answers.ts';
import { receiveWebhooks } from './webhook-receiver.ts';
import { BOOTSTRAP_KEY, startWholeCluster, withoutEngines } from './whole-cluster.ts';

const RECOVERED_WITHIN_MS = patientTimeout(30_000);
/** All of it is read in the log again. */
const MADE_ANEW_WITHIN_MS = 120_000;
const CREDITS = 1000;
const ONE_OF_EACH = { api: 2, ingest: 1, projector: 1, webhooks: 1, relay: 1, intelligence: 1 };

/** The substitute of MongoDB forgets commits that it has confirmed: killed it is where the loss of its data is tested. */
const KILLED: readonly EngineName[] = ENGINE_NAMES.filter((name) => name !== 'read-store');
const LOST: readonly EngineName[] = ['limits', 'read-store'];

describe.skipIf(withoutEngines !== '')(`a cluster whose engines go and come back${withoutEngines}`, () => {
  it('refuses what it must, goes on with the rest, recovers by itself, and loses nothing', {
    timeout: 900_000,
  }, async () => {
    const cluster = await startWholeCluster(ONE_OF_EACH, { WEBHOOK_ALLOW: '127.0.0.0/8' });
    const { url } = cluster;
    await toldAndShown(url, liveSchedules(1, Date.now()));
    const [event] = [...(await listedEvents(url)).values()];
    const payer = await cluster.createKey('payer@example.test', CREDITS);
    const operator = { account: 0, keyId: 0, key: BOOTSTRAP_KEY };
    const receiver = await receiveWebhooks();
    const client = createClient({ baseUrl: url, apiKey: BOOTSTRAP_KEY });
    await client.createWebhook({ url: receiver.url, event_types: ['score', 'status', 'line_move'] });

    const facts: Message[] = [];
    let last = Date.now();
    const newFact = (): Message => {
      last = Math.max(last + 1, Date.now());
      const fact = liveFact(0, facts.length + 1, last);
      facts.push(fact);
      return fact;
    };
    const calls: Called[] = [];
    const stream = await openStream(`${url}/v1/events/${event}/stream`, { authorization: `Bearer ${BOOTSTRAP_KEY}` });
    onTestFinished(() => stream.leave());
    const doors: ClusterEndpoints = {
      cluster,
      url,
      payer,
      operator,
      event: event!,
      stream,
      receiver,
      newFact,
      onCalled: (called) => calls.push(called),
    };
    const figures: Record<string, number> = {};
    const back = async (engine: EngineName, how: string, withinMs = RECOVERED_WITHIN_MS): Promise<void> => {
      figures[`${engine} ${how}`] = Math.round(await recovered(engine, doors, withinMs));
      console.log(JSON.stringify({ engine, how, recovered: figures[`${engine} ${how}`] }));
    };
    await recovered('broker', doors, 60_000);

    for (const engine of ENGINE_NAMES) {
      signalEngine(cluster, engine, 'SIGSTOP');
      try {
        // What was under way when it stopped is over.
        await delay(2000);
        await expectWhileUnavailable(engine, doors);
      } finally {
        signalEngine(cluster, engine, 'SIGCONT');
      }
      await back(engine, 'paused');
    }
    for (const engine of KILLED) {
      const before = pidOf(cluster, engine);
      signalEngine(cluster, engine, 'SIGKILL');
      await startedAgain(cluster, engine, before);
      await back(engine, 'killed');
    }
    for (const engine of LOST) {
      const before = pidOf(cluster, engine);
      loseData(cluster, engine);
      await startedAgain(cluster, engine, before);
      await back(engine, 'lost', MADE_ANEW_WITHIN_MS);
    }

    // What nobody has acknowledged may be there too, so all of it is told once more.
    const again = await toldAndShown(url, facts);
    expect(again).toMatchObject({ received: facts.length, rejected: 0 });
    const log = openEventStoreLog({ url: cluster.address('event-log'), upcast });
    const books = await expectChargedOnce(log, url, calls, new Map([[payer.account, CREDITS]]));
    await log.close();
    const changes = (await allChanges(url)).filter(({ type }) => /score|status|line_move/.test(type));
    await eventually(() => missing(changes, receiver.arrived).length === 0, 30_000);
    expectPublishedInOrder(changes, receiver.arrived);
    console.log(JSON.stringify({ ...figures, calls: calls.length, ...books, changes: changes.length }));
  });
});
