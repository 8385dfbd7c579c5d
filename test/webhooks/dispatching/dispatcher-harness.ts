import { setImmediate as turn } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { ONE_PARTITION } from '../../../src/domain/event-sourcing/partition-of.ts';
import { HOUR } from '../../../src/domain/primitives/time.ts';
import type { SetTimer } from '../../../src/platform/async/timer.ts';
import { createWebhookDispatcher, type DispatcherParts } from '../../../src/webhooks/dispatching/webhook-dispatcher.ts';
import { type DeliveryOutcome, failedDelivery } from '../../../src/webhooks/http/delivery-outcome.ts';
import type { WebhookClient } from '../../../src/webhooks/http/webhook-client.ts';
import type {
  DeliveryRow,
  NewMessage,
  NewSubscription,
  WebhookStore,
} from '../../../src/webhooks/store/webhook-store.ts';
import { message, newSubscription, openWebhooks } from '../store/stored-webhooks.ts';

export const T0 = Date.parse('2026-11-22T10:00:00Z');
export const WAITS = [30, 300, 1800, 7200, 21_600];
export const SECOND = 1000;

export interface Clock {
  readonly now: () => number;
  readonly setTimer: SetTimer;
  readonly delay: (milliseconds: number) => Promise<void>;
  /** Lets time pass; what is due goes off in its order, and all that follows from it happens before time goes on. */
  pass(milliseconds: number): Promise<void>;
}

export function createClock(): Clock {
  let time = T0;
  const timers = new Set<{ readonly at: number; readonly callback: () => void }>();
  const setTimer: SetTimer = (callback, milliseconds) => {
    const timer = { at: time + milliseconds, callback };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    now: () => time,
    setTimer,
    delay: (milliseconds) => new Promise((resolve) => void setTimer(resolve, milliseconds)),
    async pass(milliseconds) {
      const until = time + milliseconds;
      for (;;) {
        await settled();
        const next = Math.min(...[...timers].map(({ at }) => at));
        if (next > until) break;
        time = Math.max(time, next);
        for (const timer of timers) if (timer.at === next && timers.delete(timer)) timer.callback();
      }
      time = until;
    },
  };
}

/** Until all that follows without time passing has happened. */
export async function settled(): Promise<void> {
  for (let i = 0; i < 8; i++) await turn();
}

/** What an endpoint does with one request: after so many milliseconds. */
export interface Answer {
  readonly outcome: DeliveryOutcome;
  readonly takes?: number;
}
export const status = (code: number, retryAfter?: number): Answer => ({
  outcome: { kind: 'answered', status: code, ...(retryAfter !== undefined && { retryAfter }) },
});
export const hang: Answer = { outcome: failedDelivery('timeout', 'no complete answer within 10 s'), takes: 10_000 };

export interface Sent {
  readonly url: string;
  readonly webhookId: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly at: number;
}

/** Endpoints that answer as the test says, in the clock's time. */
export function scriptedClient(clock: Clock, answer: (sent: Sent, number: number) => Answer) {
  const sent: Sent[] = [];
  const underWay = new Set<(outcome: DeliveryOutcome) => void>();
  let isClosed = false;
  const client: Pick<WebhookClient, 'post' | 'close'> = {
    post(url, headers, body) {
      if (isClosed) return Promise.resolve(failedDelivery('closed', 'the server stops'));
      const one = { url, webhookId: headers['webhook-id']!, headers, body: String(body), at: clock.now() };
      sent.push(one);
      const { outcome, takes = 0 } = answer(one, sent.length);
      return new Promise((resolve) => {
        underWay.add(resolve);
        clock.setTimer(() => {
          underWay.delete(resolve);
          resolve(outcome);
        }, takes);
      });
    },
    close() {
      isClosed = true;
      for (const resolve of underWay) resolve(failedDelivery('closed', 'the server stops'));
    },
  };
  return { client, sent, underWay };
}

export interface World {
  readonly clock: Clock;
  readonly store: WebhookStore;
  /** How many attempts each call of `record` brought. */
  readonly groups: readonly number[];
  subscribe(given?: Partial<NewSubscription>): Promise<number>;
  /** Publishes messages to a subscription, in this order, as the publisher does. */
  publish(subscriptionId: number, ...given: Partial<NewMessage>[]): Promise<void>;
  dispatch(
    parts: Pick<DispatcherParts, 'client'> & Partial<DispatcherParts>,
  ): ReturnType<typeof createWebhookDispatcher>;
  /** Of a subscription, the oldest first. */
  rows(subscriptionId: number): Promise<readonly DeliveryRow[]>;
}

/** A store, a clock that stands still, and dispatchers on them. */
export async function newWorld(clock = createClock(), inMemory?: WebhookStore): Promise<World> {
  const { store: stored, close } = inMemory ? { store: inMemory, close: async () => {} } : await openWebhooks();
  const groups: number[] = [];
  const store: WebhookStore = {
    ...stored,
    async record(attempts, epoch) {
      await stored.record(attempts, epoch);
      groups.push(attempts.length);
    },
  };
  const running = new Set<ReturnType<typeof createWebhookDispatcher>>();
  onTestFinished(async () => {
    const stops = [...running].map((dispatcher) => dispatcher.stop(0));
    await clock.pass(0);
    await Promise.all(stops);
    await close();
  });
  let position = 0n;
  return {
    clock,
    store,
    groups,
    async subscribe(given = {}) {
      const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
      return (await store.create(newSubscription({ secret, createdAt: clock.now(), ...given }))).id;
    },
    async publish(subscriptionId, ...given) {
      position++;
      const messages = given.map((one) => message(subscriptionId, { createdAt: clock.now(), ...one }));
      await store.publish(messages, { partition: ONE_PARTITION, position });
      for (const dispatcher of running) dispatcher.wake();
    },
    dispatch(parts) {
      const { now, setTimer, delay } = clock;
      const onError = (error: unknown) => {
        throw error;
      };
      const given = { store, retrySeconds: WAITS, onError, now, setTimer, delay, pollMs: HOUR, ...parts };
      const dispatcher = createWebhookDispatcher(given);
      running.add(dispatcher);
      dispatcher.start();
      return dispatcher;
    },
    rows: async (subscriptionId) => [...(await store.deliveries({ subscriptionId, limit: 1000 }))].reverse(),
  };
}
