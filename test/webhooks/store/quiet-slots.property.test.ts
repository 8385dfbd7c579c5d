import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseAlertBody } from '../../../src/webhooks/formats/stored-alert.ts';
import { planQuietMessages, type QuietSlot } from '../../../src/webhooks/store/quiet-slots.ts';
import type { NewMessage } from '../../../src/webhooks/store/webhook-store.ts';

const SECONDS = 30;
const line = (position: number) => ({
  type: 'score',
  event: 'e',
  eventId: 5,
  text: `${position}`,
  at: '',
  isUrgent: false,
});
const change = (position: number, createdAt: number): NewMessage => ({
  webhookId: `msg_1_${position}_0`,
  subscriptionId: 1,
  eventType: 'score',
  eventId: 5,
  body: JSON.stringify({ lines: [line(position)], count: 1 }),
  createdAt,
  quiet: { seconds: SECONDS, position: BigInt(position), index: 0 },
});

/** Runs the plans of several batches, as a store does: each batch at its time. */
function publishAll(batches: readonly { readonly at: number; readonly positions: readonly number[] }[]) {
  const messages = new Map<number, { dueAt: number; body: string }>();
  let slot: (Omit<QuietSlot, 'message'> & { readonly messageId: number }) | undefined;
  for (const { at, positions } of batches) {
    const message = slot && {
      id: slot.messageId,
      eventType: 'score' as const,
      body: messages.get(slot.messageId)!.body,
    };
    // What is due by now was sent: nothing may be put into it.
    const waits = slot && slot.at > at ? message! : null;
    const given = positions.map((position) => change(position, at));
    const { added, extended } = planQuietMessages(slot && { ...slot, message: waits }, given);
    for (const { message: told, position, index } of extended) {
      messages.get(told.id)!.body = told.body;
      slot = { ...slot!, position, index };
    }
    for (const { dueAt, body, slot: of } of added) {
      const id = messages.size + 1;
      messages.set(id, { dueAt, body });
      slot = { subscriptionId: 1, eventId: 5, at: dueAt, ...of, messageId: id };
    }
  }
  return [...messages.values()];
}

const batches = fc
  .array(fc.tuple(fc.nat(60_000), fc.integer({ min: 1, max: 4 }), fc.nat(2)), { maxLength: 40 })
  .map((steps) => {
    let [at, position] = [1_000_000, 0];
    return steps.map(([wait, count, repeated]) => {
      at += wait;
      const from = Math.max(1, position + 1 - repeated);
      position += count;
      return { at, positions: Array.from({ length: position + 1 - from }, (_, index) => from + index) };
    });
  });

it('no two messages about an event are due within the interval, each change is in one, and none waits longer than two', () => {
  fc.assert(
    fc.property(batches, (given) => {
      const messages = publishAll(given);
      const times = messages.map(({ dueAt }) => dueAt);
      for (const [index, time] of times.entries()) {
        if (index > 0) expect(time - times[index - 1]!).toBeGreaterThanOrEqual(SECONDS * 1000);
      }
      const counted = messages.map(({ body }) => parseAlertBody(body).count);
      const changes = given.at(-1)?.positions.at(-1) ?? 0;
      expect(counted.reduce((sum, count) => sum + count, 0)).toBe(changes);
      // When each change was published first.
      const publishedAt = new Map<number, number>();
      for (const { at, positions } of given)
        for (const position of positions) publishedAt.set(position, publishedAt.get(position) ?? at);
      let position = 0;
      for (const [index, { dueAt }] of messages.entries()) {
        for (let n = 0; n < counted[index]!; n++) {
          const at = publishedAt.get(++position)!;
          expect(dueAt).toBeGreaterThanOrEqual(at);
          expect(dueAt - at).toBeLessThanOrEqual(2 * SECONDS * 1000);
        }
      }
    }),
  );
});
