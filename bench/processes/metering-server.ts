import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { BOOTSTRAP_PRINCIPAL } from '../../src/accounts/keys/authenticator.ts';
import { createHistories } from '../../src/as-of/histories.ts';
import { createPipeline } from '../../src/calls/pipeline.ts';
import { openStages } from '../../src/calls/stages.ts';
import { startApp } from '../../src/composition/app.ts';
import { lockFolder } from '../../src/data-folder/lock.ts';
import { createApp } from '../../src/http/app.ts';
import { createRequestIds } from '../../src/http/request-ids.ts';
import { createResponder } from '../../src/http/responder.ts';
import { createHttpServer } from '../../src/http/server.ts';
import { operations } from '../../src/operations/index.ts';
import { readConfig } from '../../src/settings/config.ts';
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
  const { outcomes } = await app.parts.intake.accept(messages.map((value, line) => ({ line, value })));
  if (outcomes.some(({ status }) => status !== 'accepted')) throw new Error(JSON.stringify(outcomes));
  await app.parts.runner.waitFor((await app.parts.log.head())!);
  const keysOf = async (email: (n: number) => string): Promise<unknown[]> => {
    const keys: unknown[] = [];
    for (let n = 0; n < count; n++) {
      const order = { name: 'bench', plan: 'bench', scopes: ['all'], email: email(n) };
      keys.push((await app.parts.keys.create(order))['key']);
    }
    return keys;
  };
  const ofOne = await keysOf(() => 'one@example.com');
  const ofMany = await keysOf((n) => `${n}@example.com`);
  return { port, ofOne, ofMany, open: await listenSomewhere(openServer(app)) };
});

function openServer({ parts }: Awaited<ReturnType<typeof startApp>>) {
  const { store, log, answers } = parts;
  const baseUrl = () => 'http://127.0.0.1';
  const newRequestId = createRequestIds();
  const responder = createResponder({ baseUrl, log: { error: () => {} }, newRequestId });
  const never = undefined as never;
  const context = {
    store,
    log,
    histories: createHistories(log),
    now: Date.now,
    health: never,
    accounts: never,
    webhooks: never,
  };
  const authenticate = () => BOOTSTRAP_PRINCIPAL;
  const pipeline = createPipeline({ authenticate, stages: openStages, context, answers });
  const app = createApp({ operations, pipeline, responder, isReady: () => true });
  return createHttpServer(app, baseUrl, newRequestId);
}
