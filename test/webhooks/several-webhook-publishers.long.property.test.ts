import { setImmediate, setTimeout } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { LogRecord } from '../../src/domain/event-sourcing/record.ts';
import { createMemoryLog } from '../../src/event-log/storage/memory-log.ts';
import type { RecordFeed } from '../../src/event-log/subscription/record-feed.ts';
import type { ClientChange } from '../../src/read-models/change-feed/change-mapper.ts';
import { createWebhookPublisher, type PublisherParts } from '../../src/webhooks/webhook-publisher.ts';
import { cases } from '../support/cases.ts';
import { createFaultyFeed } from '../support/faulty/faulty-feed.ts';
import { createFaultyNetwork } from '../support/faulty/faulty-network.ts';
import { createMemoryWebhookStore } from '../support/webhooks/memory-webhook-store.ts';
import { newSubscription } from './store/stored-webhooks.ts';

const PARTITIONS = 5;
const EVENTS = 9;

const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ does: fc.constant('tell' as const), event: fc.nat(EVENTS - 1) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('wait' as const), turns: fc.nat(12) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constantFrom('join' as const, 'kill' as const), who: fc.nat(5) }) },
);

async function toldOf(records: readonly LogRecord[]): Promise<ClientChange[]> {
  return records.map(({ data, position, recordedAt }) => {
    const { eventId } = data as { eventId: number };
    const base = { eventType: 'score' as const, eventId, sport: 'nba', league: 'nba', observedAt: recordedAt };
    return { ...base, at: recordedAt, data: { event_id: eventId }, position, index: 0 };
  });
}

/** One that can be killed: then nothing of it comes through any more, its last places neither. */
function startPublisher(feed: RecordFeed, store: PublisherParts['store'], clockIsBehind: number) {
  let isDead = false;
  const publisher = createWebhookPublisher({
    feed,
    mapRecords: toldOf,
    recordTypes: new Set(['Told']),
    onPublished: () => {},
    onError: () => {},
    batchSize: 3,
    store: {
      ...store,
      async publish(...given) {
        if (isDead) throw new Error('dead');
        await store.publish(...given);
      },
    },
    now: () => Date.now() - clockIsBehind,
  });
  return {
    started: publisher.start(),
    async kill() {
      isDead = true;
      await publisher.stop();
    },
  };
}

describe('several publishers', () => {
  it('tell of every fact once, and of each event in its order, whoever joins and dies', {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), fc.nat(), async (steps, seed) => {
        const log = createMemoryLog({ now: Date.now });
        const feed = createFaultyFeed(log, createFaultyNetwork({ seed }), PARTITIONS);
        const store = createMemoryWebhookStore();
        const running = [startPublisher(feed, store, 0)];
        await running[0]!.started;
        const { id } = await store.create(newSubscription({ createdAfter: null, eventTypes: ['score'] }));
        const expected = new Map<number, string[]>();
        for (const one of steps) {
          if (one.does === 'tell') {
            const event = { type: 'Told', version: 1, data: { eventId: one.event } };
            const meta = { partition: `event-${one.event}` };
            const { position } = await log.append(`event-${one.event}`, [{ ...event, meta }], 'any');
            expected.set(one.event, [...(expected.get(one.event) ?? []), `msg_${id}_${position}_0`]);
          } else if (one.does === 'wait') {
            for (let turn = 0; turn < one.turns; turn++) await setImmediate();
          } else if (one.does === 'join') {
            running.push(startPublisher(feed, store, one.who * 300));
          } else if (running.length > 0) {
            const [dying] = running.splice(one.who % running.length, 1);
            await dying!.kill();
          }
        }
        running.push(startPublisher(feed, store, 0));
        const messages = async () => await store.due(Number.MAX_SAFE_INTEGER, 1000, new Set());
        const count = [...expected.values()].flat().length;
        for (let tries = 0; (await messages()).length < count && tries < 400; tries++) await setTimeout(5);

        const told = new Map<number, string[]>();
        for (const { eventId, webhookId } of await messages()) {
          told.set(eventId!, [...(told.get(eventId!) ?? []), webhookId]);
        }
        expect(Object.fromEntries(told)).toEqual(Object.fromEntries(expected));
        for (const one of running) await one.kill();
      }),
      { numRuns: cases(300, 40) },
    );
  });
});
