import { expect, it, onTestFinished } from 'vitest';
import { ONE_PARTITION } from '../../../src/domain/event-sourcing/partition-of.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { temporaryFolder } from '../../event-log/temporary-folder.ts';
import { failed, message, newSubscription, openWebhooks, positionAt, record, succeeded } from './stored-webhooks.ts';
import { webhookAlertsContract } from './webhook-alerts.contract.ts';
import { webhookRetentionContract } from './webhook-retention.contract.ts';
import { type OpenedWebhooks, webhookStoreContract } from './webhook-store.contract.ts';
import { webhookStoreModel } from './webhook-store-model.contract.ts';

const folder = temporaryFolder();
let files = 0;

async function open(...given: Parameters<typeof openWebhooks>) {
  const one = await openWebhooks(...given);
  onTestFinished(one.close);
  return one;
}

async function onFile(): Promise<OpenedWebhooks> {
  const file = folder.path(`webhooks-${++files}.db`);
  const opened = [await openWebhooks(file)];
  return {
    store: opened[0]!.store,
    async another() {
      opened.push(await openWebhooks(file));
      return opened.at(-1)!.store;
    },
    close: async () => void (await Promise.all(opened.map(({ close }) => close()))),
  };
}

async function inOneConnection(): Promise<OpenedWebhooks> {
  const { store, close } = await openWebhooks();
  return { store, another: async () => store, close };
}

webhookStoreContract('SQLite', onFile);
webhookAlertsContract('SQLite', onFile);
webhookStoreModel('SQLite', inOneConnection);
webhookRetentionContract('SQLite', inOneConnection);

it('a subscription keeps its secrets where nobody reads them: only this pepper opens them, and only in their place', async () => {
  const file = folder.path('sealed.db');
  const one = await open(file);
  const { id } = await one.store.create(newSubscription({ secret: 'whsec_Zmlyc3Q=' }));
  const other = await one.store.create(newSubscription());
  await one.store.rotate(id, 'whsec_c2Vjb25k', 9000);
  expect(await one.store.find(id)).toMatchObject({
    secret: 'whsec_c2Vjb25k',
    previousSecret: { secret: 'whsec_Zmlyc3Q=', until: 9000 },
  });
  const dump = await one.dump();
  for (const secret of ['whsec_', 'Zmlyc3Q', 'c2Vjb25k']) expect(dump).not.toContain(secret);
  const stranger = await open(file, 'another pepper');
  await expect(stranger.store.find(id)).rejects.toThrow(`the secret of webhook ${id} cannot be opened`);
  await one.copySecret(id, other.id);
  await expect(one.store.find(other.id)).rejects.toThrow(`the secret of webhook ${other.id} cannot be opened`);
});

it('the address of a service is stored encrypted, and opens for its own subscription alone', async () => {
  const file = folder.path('addresses.db');
  const one = await open(file);
  const url = 'https://discord.com/api/webhooks/123/tokenOfTheWebhookWXYZ';
  const { id } = await one.store.create(newSubscription({ format: 'discord', url }));
  expect((await one.store.find(id))!.url).toBe(url);
  expect((await one.store.active()).map((found) => found.url)).toEqual([url]);
  const dump = await one.dump();
  expect(dump).toContain('https://discord.com/api/webhooks/…/…WXYZ');
  expect(dump).not.toContain('tokenOfTheWebhook');
  const stranger = await open(file, 'another pepper');
  await expect(stranger.store.find(id)).rejects.toThrow('cannot be opened');
});

it('a removed subscription has its messages and rows dropped, however many there are', async () => {
  const { store, dump } = await open();
  const { id } = await store.create(newSubscription());
  await store.publish(
    Array.from({ length: 2500 }, () => message(id)),
    positionAt(1n),
  );
  await record(
    store,
    (await store.due(9000, 2500, new Set())).map((one) => succeeded(one, 3000)),
  );
  await store.remove(id, 1);
  expect(await dump()).toBe('[[],[],[]]');
});

it('the place of a folder of an earlier version, which had one only, is that of the whole log', async () => {
  const file = folder.path('earlier.db');
  await (await openWebhooks(file)).close();
  const earlier = openSqliteDatabase({ file });
  for (const index of ['messages_replayed', 'messages_ended', 'deliveries_by_age']) {
    earlier.exec(`DROP INDEX webhook_${index}`);
  }
  earlier.exec('ALTER TABLE webhook_messages DROP COLUMN is_replayed');
  for (const table of ['places', 'dispatchers', 'shards', 'replays']) earlier.exec(`DROP TABLE webhook_${table}`);
  for (const column of ['shard', 'event_type']) earlier.exec(`ALTER TABLE webhook_charges DROP COLUMN ${column}`);
  earlier.exec(`UPDATE webhook_state SET position = '12345678901234567890'`);
  earlier.exec(`INSERT INTO webhook_charges VALUES (1, 'msg_1', 1, 0.5, 10, 20, 200, 0)`);
  earlier.close();

  const first = await open(file);
  expect(await first.store.publisherPositions()).toEqual(new Map([[ONE_PARTITION, 12_345_678_901_234_567_890n]]));
  const charge = {
    webhookId: 'msg_1',
    eventType: 'injury',
    accountId: 1,
    credits: 0.5,
    startedAt: 10,
    endedAt: 20,
    statusCode: 200,
  };
  expect(await first.store.pendingCharges(10, new Set([0]))).toEqual([charge]);
  await first.store.publish([], { partition: ONE_PARTITION, position: 12_345_678_901_234_567_891n });
  const second = await open(file);
  expect([...(await second.store.publisherPositions()).values()]).toEqual([12_345_678_901_234_567_891n]);
});

it('given a folder from before owners of signed webhooks were told of their end, then they are told of none of long ago', async () => {
  const file = folder.path('before.db');
  const one = await openWebhooks(file);
  const { id } = await one.store.create(newSubscription());
  await record(one.store, [failed(await one.store.add(message(id)), 1000, { statusCode: 410, deactivate: 'gone' })]);
  await one.close();
  const database = openSqliteDatabase({ file });
  database.exec(`drop index webhook_subscriptions_ended;
    create index webhook_subscriptions_untold on webhook_subscriptions (id)
      where is_active = 0 and told_at is null and format is not null`);
  database.close();

  const later = await open(file);
  expect(await later.store.endedToMail(10)).toEqual([]);
  const { id: next } = await later.store.create(newSubscription());
  await record(later.store, [
    failed(await later.store.add(message(next)), 2000, { statusCode: 410, deactivate: 'gone' }),
  ]);
  // Nor are those forgotten that end from now on, whenever the folder is opened again.
  expect((await (await open(file)).store.endedToMail(10)).map((ended) => ended.id)).toEqual([next]);
});
