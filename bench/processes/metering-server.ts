import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { BOOTSTRAP_PRINCIPAL } from '../../src/accounts/keys/authenticator.ts';
import { createSecretBox } from '../../src/calls/secret-box.ts';
import { openStages } from '../../src/calls/stages.ts';
import { type App, startApp } from '../../src/composition/app.ts';
import { realEnvironment, silentLog } from '../../src/composition/environment.ts';
import { openServer } from '../../src/composition/server.ts';
import { lockFolder } from '../../src/data-folder/lock.ts';
import { createHttpServer } from '../../src/http/http-server.ts';
import { developmentPayments } from '../../src/payments/development.ts';
import { type Config, readConfig } from '../../src/settings/config.ts';
import { listenSomewhere, serveParent } from '../child-side.ts';

interface Begin {
  readonly folder: string;
  readonly messages: readonly unknown[];
  readonly keys: number;
}

/** More than are asked for, so that the windows are full of calls and refuse none. */
const plan = { requests_per_minute: 100_000_000, max_api_keys: 1, initial_credits: 1_000_000_000, monthly_credits: 0 };
const more = { credits_expire_hours: null, daily_credit_cap: null, name: 'Bench' };

/**
 * The server itself, with keys of accounts whose calls are limited and charged; and, in the same process on a port of
 * its own, the same operations behind a pipeline that knows no keys, limits and credits.
 */
serveParent<Begin>(async ({ folder, messages, keys: count }) => {
  const CONFIG = join(folder, 'config.json');
  writeFileSync(CONFIG, JSON.stringify({ plans: { bench: { ...plan, ...more } } }));
  const port = 20_000 + ((process.pid * 37) % 12_000);
  const config = readConfig({ CONFIG, DATA_DIR: folder, PORT: String(port), FEEDS: 'none', LOG_LEVEL: 'error' });
  const app = await startApp(config, pino({ level: 'error' }), lockFolder(folder, 'bench'));
  await app.ready;
  const { outcomes } = await app.core.intake.accept(messages.map((value, line) => ({ line, value })));
  if (outcomes.some(({ status }) => status !== 'accepted')) throw new Error(JSON.stringify(outcomes));
  await app.core.runner.waitFor((await app.ports.log.head())!);
  const keysOf = async (email: (n: number) => string): Promise<unknown[]> => {
    const keys: unknown[] = [];
    for (let n = 0; n < count; n++) {
      const order = { name: 'bench', plan: 'bench', scopes: ['all'], email: email(n) };
      keys.push((await app.keys.create(order))['key']);
    }
    return keys;
  };
  const ofOne = await keysOf(() => 'one@example.com');
  const ofMany = await keysOf((n) => `${n}@example.com`);
  return { port, ofOne, ofMany, open: await listenSomewhere(await unmetered(app, config)) };
});

/** The same server, on the same stores, for a caller whom nothing limits and nothing charges. */
async function unmetered({ ports, core }: App, settings: Config) {
  const baseUrl = () => 'http://127.0.0.1';
  const environment = realEnvironment(silentLog);
  const secrets = { pepper: '', box: createSecretBox('', environment.randomBytes) };
  const { listener } = await openServer({
    ...{ ports, core, secrets, settings, environment, baseUrl },
    payments: developmentPayments(),
    isReady: () => true,
    simulated: () => false,
    replacements: { authenticate: () => BOOTSTRAP_PRINCIPAL, stages: () => openStages, remembersNoAnswers: true },
  });
  return createHttpServer(listener, baseUrl, environment.newRequestId);
}
