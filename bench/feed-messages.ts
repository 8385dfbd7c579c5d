import { realpathSync } from 'node:fs';
import { callServer } from '../src/server/control/control-client.ts';
import { askOver } from './ask.ts';
import type { Server } from './server.ts';

/** Gives messages to the server's own door, and waits until they can be read. @throws Error unless all are accepted */
export async function feedMessages(server: Server, messages: readonly unknown[]): Promise<void> {
  const ask = askOver(server.port, server.ingestKey);
  for (let from = 0; from < messages.length; from += 1000) {
    const batch = messages.slice(from, from + 1000);
    const { json } = await ask('/ingest/v1/messages?wait=projected', batch);
    if (json.accepted === batch.length && json.projected === true) continue;
    throw new Error(`not all were accepted and projected: ${JSON.stringify(json)}`);
  }
}

/** Makes a key as the `keys` command does, at the server itself. */
export async function createKey(server: Server, plan: string, email: string): Promise<string> {
  async function* order() {
    yield Buffer.from(JSON.stringify({ name: 'bench', plan, scopes: ['all'], email }));
  }
  const folder = realpathSync(server.folder);
  const [made] = await callServer<readonly { readonly key: string }[]>(folder, 'POST /keys/create', order());
  return made!.key;
}
