import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LeaseLost } from '../../../src/webhooks/store/webhook-shards.ts';
import type { NewMessage, QuietTurn, WebhookMessage, WebhookStore } from '../../../src/webhooks/store/webhook-store.ts';
import { failed, message, newSubscription, positionAt, record, succeeded } from './stored-webhooks.ts';
import type { OpenedWebhooks } from './webhook-store.contract.ts';

const LATE = 10_000_000;
const alert = (text: string): string => JSON.stringify({ lines: [{ text }], count: 1 });
const textsOf = ({ body }: { readonly body: string }) =>
  (JSON.parse(body).lines as { readonly text: string }[]).map(({ text }) => text);

/** What subscriptions of people add to the webhook store. */
export function webhookAlertsContract(name: string, open: () => Promise<OpenedWebhooks>): void {
  describe(`webhook store, alerts: ${name}`, () => {
    let opened: OpenedWebhooks;
    let store: WebhookStore;
    let id: number;
    beforeEach(async () => {
      opened = await open();
      ({ store } = opened);
      const forms = { format: 'discord', quietSeconds: 30, filter: { sports: ['nfl'], min_line_move: 0.5 } } as const;
      const url = 'https://discord.com/api/webhooks/1/abcdefgh';
      ({ id } = await store.create(newSubscription({ ...forms, url })));
    });
    afterEach(() => opened.close());

    const due = (now = LATE) => store.due(now, 100, new Set());
    /** The change at this position, published at this time: milliseconds. */
    const change = (position: number, at: number, given: Partial<NewMessage> = {}): NewMessage =>
      message(id, {
        webhookId: `msg_${id}_${position}_0`,
        body: alert(`${position}`),
        createdAt: at,
        quiet: { seconds: 30, position: BigInt(position), index: 0 },
        ...given,
      });
    const publish = (...changes: readonly NewMessage[]) =>
      store.publish(changes, positionAt(changes.at(-1)!.quiet?.position ?? 1n));
    const slots = async () => (await due()).map((one) => [one.nextAttemptAt, textsOf(one)]);

    it('keep their format, filter and interval', async () => {
      const kept = { format: 'discord', quietSeconds: 30, filter: { sports: ['nfl'], min_line_move: 0.5 } };
      expect(await store.find(id)).toMatchObject(kept);
      expect((await (await opened.another()).list(1))[0]).toMatchObject(kept);
    });

    describe('quiet', () => {
      it('the first change is due at once, what comes within the interval is one message at its end', async () => {
        await publish(change(1, 100_000));
        await publish(change(2, 105_000), change(3, 105_000));
        await publish(change(4, 120_000));
        await publish(change(5, 131_000));
        await publish(change(6, 300_000));
        expect(await slots()).toEqual([
          [100_000, ['1']],
          [130_000, ['2', '3', '4']],
          [160_000, ['5']],
          [300_000, ['6']],
        ]);
      });

      it('holds for each event and each subscription by itself', async () => {
        const other = await store.create(newSubscription({ quietSeconds: 30 }));
        await publish(change(1, 1000), change(2, 1000, { eventId: 6 }));
        await publish(change(3, 2000, { subscriptionId: other.id, webhookId: 'other' }));
        expect((await due(2000)).map(({ eventId, subscriptionId }) => [subscriptionId, eventId])).toEqual([
          [id, 5],
          [id, 6],
          [other.id, 5],
        ]);
      });

      it('the same changes again, as after a crash, change nothing', async () => {
        const changes = [change(1, 100_000), change(2, 105_000), change(3, 106_000)];
        await publish(...changes);
        const before = await slots();
        await publish(...changes);
        await publish(changes[2]!);
        expect(await slots()).toEqual(before);
        expect(before).toEqual([
          [100_000, ['1']],
          [130_000, ['2', '3']],
        ]);
      });

      it('a message takes nothing more once it was tried', async () => {
        await publish(change(1, 100_000), change(2, 105_000));
        const [, second] = await due();
        await record(store, [failed(second!, 130_000, { retryAt: 160_000 })]);
        await publish(change(3, 110_000));
        expect((await due()).map(textsOf).sort()).toEqual([['1'], ['2'], ['3']]);
      });

      it('a message costs what the dearest of its changes does', async () => {
        await publish(change(1, 1000), change(2, 2000), change(3, 3000, { eventType: 'injury' }), change(4, 4000));
        expect((await due()).map(({ eventType }) => eventType)).toEqual(['score', 'injury']);
      });

      it('of a removed or pruned subscription nothing is left', async () => {
        await publish(change(1, 100_000));
        await record(store, [succeeded((await due())[0]!, 100_000)]);
        await store.prune({ messages: 100_000, deliveries: 0, replays: 0 }, 100);
        // The slot is gone with its message: the next change is due at once.
        await publish(change(2, 100_500));
        expect(await slots()).toEqual([[100_500, ['2']]]);
        expect(await store.remove(id, 1)).toBe(true);
        await publish(change(3, 100_600));
        expect(await due()).toEqual([]);
      });
    });

    describe('quiet, when a message is about to be sent', () => {
      const prepare = async (sent: WebhookMessage, now: number) => {
        const { epoch } = await store.claim('test', 0, Number.POSITIVE_INFINITY);
        return store.prepareQuiet(sent, 30, now, epoch);
      };
      const told = (turn: QuietTurn) => (turn.kind === 'send' ? textsOf(turn.message) : turn);

      it('one that comes too soon after the last delivery is due at the end of the interval', async () => {
        await publish(change(1, 100_000));
        await publish(change(2, 105_000));
        const [first, second] = await due();
        await record(store, [succeeded(first!, 109_000)]);
        expect(await prepare(second!, 130_000)).toEqual({ kind: 'later', at: 139_000 });
        expect(await slots()).toEqual([[139_000, ['2']]]);
        expect(told(await prepare(second!, 139_000))).toEqual(['2']);
      });

      it('a delivery that a wrong clock has put into the future holds nothing up for longer than the interval', async () => {
        await publish(change(1, 100_000), change(2, 105_000));
        const [first, second] = await due();
        await record(store, [succeeded(first!, 9_000_000)]);
        expect(await prepare(second!, 130_000)).toEqual({ kind: 'later', at: 160_000 });
      });

      it('what waits is put into the newest one, which is due at once, and asking again changes nothing', async () => {
        await publish(change(1, 100_000));
        await publish(change(2, 105_000));
        await publish(change(3, 131_000, { eventType: 'injury' }));
        const [first, second, third] = await due();
        await record(store, [failed(first!, 100_000, { retryAt: 150_000 })]);
        for (let n = 0; n < 2; n++) expect(await prepare(first!, 150_000)).toEqual({ kind: 'later', at: 150_000 });
        expect(await prepare(second!, 150_000)).toEqual({ kind: 'later', at: 150_000 });
        expect(await slots()).toEqual([[150_000, ['1', '2', '3']]]);
        const turn = await prepare(third!, 150_000);
        expect(told(turn)).toEqual(['1', '2', '3']);
        expect(turn).toMatchObject({ message: { id: third!.id, webhookId: third!.webhookId, eventType: 'injury' } });
        expect((await store.deliveries({ subscriptionId: id, limit: 10 })).map((row) => row.nextRetryAt)).toEqual([
          null,
        ]);
        // The interval counts from this message.
        await publish(change(4, 151_000));
        expect((await slots()).at(-1)).toEqual([180_000, ['4']]);
      });

      it('one that was tried keeps its bytes if nothing newer waits', async () => {
        await publish(change(1, 100_000));
        const [first] = await due();
        await record(store, [failed(first!, 100_000, { retryAt: 150_000 })]);
        expect(told(await prepare((await due())[0]!, 150_000))).toEqual(['1']);
        await record(store, [failed((await due())[0]!, 150_000, { retryAt: 160_000 })]);
        expect(told(await prepare((await due())[0]!, 160_000))).toEqual(['1']);
      });

      it('is refused to a dispatcher that has lost its lease', async () => {
        await publish(change(1, 100_000));
        const [first] = await due();
        await expect(store.prepareQuiet(first!, 30, 100_000, 99)).rejects.toBeInstanceOf(LeaseLost);
      });
    });

    describe('a service that refuses', () => {
      const refuse = async (at: number) => {
        const sent = await store.add(message(id, { body: alert('x') }));
        await record(store, [failed(sent, at, { statusCode: 404, refused: true })]);
      };

      it('three messages in a row ends the subscription', async () => {
        await refuse(1000);
        await refuse(2000);
        expect(await store.find(id)).toMatchObject({ isActive: true });
        const waiting = await store.add(message(id, { body: alert('x') }));
        const last = await store.add(message(id, { body: alert('x') }));
        await record(store, [failed(last, 3000, { statusCode: 410, refused: true, retryAt: 9000 })]);
        expect(await store.find(id)).toMatchObject({ isActive: false, deactivated: { reason: 'refused', at: 3000 } });
        expect((await due()).map((one) => one.id)).not.toContain(waiting.id);
      });

      it('is forgiven by one success', async () => {
        await refuse(1000);
        await refuse(2000);
        await record(store, [succeeded(await store.add(message(id, { body: alert('x') })), 2500)]);
        await refuse(3000);
        await refuse(4000);
        expect(await store.find(id)).toMatchObject({ isActive: true });
      });

      it('is counted across one write of several attempts', async () => {
        const sent = await Promise.all([1, 2, 3].map(() => store.add(message(id, { body: alert('x') }))));
        await record(
          store,
          sent.map((one) => failed(one, 1000, { statusCode: 401, refused: true })),
        );
        expect(await store.find(id)).toMatchObject({ isActive: false });
      });

      it('has its owner told once', async () => {
        expect(await store.endedToMail(10)).toEqual([]);
        for (const at of [1, 2, 3]) await refuse(at);
        const url = 'https://discord.com/api/webhooks/1/abcdefgh';
        expect(await store.endedToMail(10)).toEqual([{ id, accountId: 1, format: 'discord', url, reason: 'refused' }]);
        await store.markTold([id], 5000);
        expect(await store.endedToMail(10)).toEqual([]);
      });
    });

    it('a signed webhook that has ended has its owner told once, too', async () => {
      const { id: signed, url } = await store.create(newSubscription());
      await record(store, [failed(await store.add(message(signed)), 1000, { statusCode: 410, deactivate: 'gone' })]);
      expect(await store.endedToMail(10)).toEqual([
        { id: signed, accountId: 1, format: 'ledgerline', url, reason: 'gone' },
      ]);
      await store.markTold([signed], 5000);
      expect(await store.endedToMail(10)).toEqual([]);
    });

    it('ended by a person it is told of nothing more, and its owner knows', async () => {
      await publish(change(1, 1000));
      const version = await store.activeVersion();
      await store.end(id, 'unsubscribed', 2000);
      expect(await store.find(id)).toMatchObject({
        isActive: false,
        deactivated: { reason: 'unsubscribed', at: 2000 },
      });
      expect(await due()).toEqual([]);
      expect(await store.endedToMail(10)).toEqual([]);
      expect(await store.activeVersion()).not.toBe(version);
      await store.end(id, 'unsubscribed', 3000);
      expect(await store.find(id)).toMatchObject({ deactivated: { at: 2000 } });
    });
  });
}
