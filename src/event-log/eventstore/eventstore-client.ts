import { EventStoreDBClient } from '@eventstore/db-client';
import { normalizeEventStoreUrl } from './eventstore-url.ts';

/** @throws TypeError when the URL is not one of EventStoreDB. The message holds no part of the URL. */
export function connectClient(url: string): EventStoreDBClient {
  const address = normalizeEventStoreUrl(url);
  let client: EventStoreDBClient;
  try {
    client = EventStoreDBClient.connectionString(address);
  } catch {
    // The client's message holds the URL with the password.
    throw new TypeError('not an address that the client of EventStoreDB understands');
  }
  // The client's batched appends share one table in the whole process: an error of one connection fails the appends of
  // all connections, and a late answer then ends the process. So each append is sent as a call of its own.
  Reflect.set(client, 'supports', async () => false);
  return client;
}

/** Ends what runs on the client, and closes its connection, which `dispose` leaves open. */
export async function disposeClient(client: EventStoreDBClient): Promise<void> {
  const getChannel = Reflect.get(client, 'getChannel') as (() => Promise<{ close(): void }>) | undefined;
  const disposed = client.dispose();
  const channel = await getChannel?.();
  channel?.close();
  await disposed;
}
