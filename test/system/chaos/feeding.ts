import { setTimeout as delay } from 'node:timers/promises';
import { expect } from 'vitest';
import type { Producer } from '../../../src/messaging/broker/broker-client.ts';
import type { Message } from './histories-and-scores.ts';
import { INGEST_KEY } from './whole-cluster.ts';

/** How long somebody tries to hand in messages that nobody takes: some times as long as the front waits for an answer. */
const TRIED_FOR = 300_000;
const AGAIN_AFTER = 100;

export type Report = Readonly<Record<string, number | boolean>>;

/** Hands in messages once. @returns the status, undefined where no answer came; the report where they were taken */
export async function tell(
  url: string,
  messages: readonly Message[],
  query: string,
): Promise<{ readonly status: number | undefined; readonly report?: Report }> {
  const answer = await fetch(`${url}/ingest/v1/messages${query}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${INGEST_KEY}`, 'content-type': 'application/x-ndjson' },
    body: messages.map((message) => `${JSON.stringify(message)}\n`).join(''),
  }).catch(() => undefined);
  const text = await answer?.text().catch(() => undefined);
  if (!answer || text === undefined) return { status: undefined };
  const { status } = answer;
  if (status === 503) return { status };
  expect(status, text).toBe(200);
  return { status, report: JSON.parse(text) as Report };
}

/** By the door, again and again until it was acknowledged. */
export async function told(url: string, messages: readonly Message[], query = ''): Promise<Report> {
  for (const until = Date.now() + TRIED_FOR; ; await delay(AGAIN_AFTER)) {
    const { report } = await tell(url, messages, query);
    if (report) return report;
    if (Date.now() > until) throw new Error(`nobody took messages for ${TRIED_FOR} ms`);
  }
}

/** By the door, until all of it shows in the answers. @returns the first report */
export async function toldAndShown(url: string, messages: readonly Message[]): Promise<Report> {
  const first = await told(url, messages, '?wait=projected');
  for (let last = first; last['projected'] !== true; ) last = await told(url, messages.slice(0, 1), '?wait=projected');
  return first;
}

/** By the topic, again and again until the broker has them. */
export async function produced(producer: Producer, topic: string, messages: readonly Message[]): Promise<void> {
  const outgoing = messages.map((message) => ({
    topic,
    key: `${message['source']}:${message['ref'] ?? ''}`,
    value: JSON.stringify(message),
  }));
  for (const until = Date.now() + TRIED_FOR; ; await delay(AGAIN_AFTER)) {
    try {
      return await producer.send(outgoing);
    } catch (error) {
      if (Date.now() > until) throw error;
    }
  }
}

export interface FeedingParts {
  readonly url: string;
  readonly producer: Producer;
  readonly topic: string;
  readonly random: () => number;
}

/** Hands in each of them by the door, by the topic or by both, some of them twice. */
export async function fed(messages: readonly Message[], { url, producer, topic, random }: FeedingParts): Promise<void> {
  for (let from = 0; from < messages.length; ) {
    const part = messages.slice(from, from + 1 + Math.floor(random() * 8));
    const way = random();
    const times = random() < 0.1 ? 2 : 1;
    for (let time = 0; time < times; time++) {
      await Promise.all([
        way < 0.7 ? told(url, part) : undefined,
        way > 0.6 ? produced(producer, topic, part) : undefined,
      ]);
    }
    from += part.length;
  }
}
