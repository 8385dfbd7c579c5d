import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Child, startChild } from './child.ts';
import { eventMessages } from './event-requests.ts';
import { createKey, feedMessages } from './feed-messages.ts';
import { type Server, startServer } from './server.ts';

/** More than are asked for, so that the windows are full of calls and refuse none. */
const plan = { requests_per_minute: 100_000_000, max_api_keys: 1, initial_credits: 1_000_000_000, monthly_credits: 0 };
const more = { credits_expire_hours: null, daily_credit_cap: null, name: 'Bench' };

export interface MeteringServers {
  readonly metered: Server;
  /** Keys of one account, and as many of an account each. */
  readonly ofOne: readonly string[];
  readonly ofMany: readonly string[];
  readonly unmetered: Child;
  stop(): Promise<void>;
}

/** What `npm start` starts, with a plan and keys of its own, and the floor, with the same event on each. */
export async function startMeteringServers(folder: string, keys: number): Promise<MeteringServers> {
  mkdirSync(folder, { recursive: true });
  const CONFIG = join(folder, 'config.json');
  writeFileSync(CONFIG, JSON.stringify({ plans: { bench: { ...plan, ...more } } }));
  const metered = await startServer({ folder: join(folder, 'metered'), settings: { CONFIG } });
  try {
    const messages = eventMessages(1);
    await feedMessages(metered, messages);
    const make = async (emailOf: (n: number) => string) => {
      const made: string[] = [];
      for (let n = 0; n < keys; n++) made.push(await createKey(metered, 'bench', emailOf(n)));
      return made;
    };
    const ofOne = await make(() => 'one@example.com');
    const ofMany = await make((n) => `${n}@example.com`);
    const unmetered = await startChild('unmetered-server', { folder: join(folder, 'unmetered'), messages });
    const stop = async () => void (await Promise.all([metered.stop(), unmetered.stop()]));
    return { metered, ofOne, ofMany, unmetered, stop };
  } catch (error) {
    await metered.stop();
    throw error;
  }
}
