import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { archiveFile, databaseFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { archiveAll, openArchiver } from '../../event-log/sqlite/archiving-log.ts';
import { createVisitor, verifyAddress } from '../../web/account/visitor.ts';
import { pricesOf, refOf, scheduleOf, startOf } from '../load/season.ts';
import { INGEST_KEY, type Owner, PASSWORD } from './acknowledged.ts';
import { ask, GAMES, linkTo, sendMessages } from './clients.ts';
import { warmServer } from './server-life.ts';

const FREE = {
  name: 'Free Tier',
  requests_per_minute: 1_000_000,
  max_api_keys: null,
  initial_credits: 1_000_000,
  monthly_credits: 0,
  credits_expire_hours: null,
  daily_credit_cap: null,
};

export interface Prepared {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  readonly owner: Owner;
}

const schedule = (n: number) => ({
  kind: 'schedule',
  source: 'crash',
  at: new Date(Date.now() - 60_000).toISOString(),
  sport: 'nba',
  league: 'nba',
  ref: `g${n}`,
  starts_at: new Date(Date.now() - 30_000).toISOString(),
  participants: [
    { role: 'home', name: `Home ${n}` },
    { role: 'away', name: `Away ${n}` },
  ],
});

/** Of a game that is long over, whose odds are in the archive. Its id follows on those of the games in play. */
const PAST_DAY = 400;
const past = [
  scheduleOf(PAST_DAY, 0),
  ...Array.from({ length: 40 }, (_, n) =>
    pricesOf(refOf(PAST_DAY, 0), 'pinnacle', startOf(PAST_DAY, 0) - 60_000 * (40 - n), n / 2, 101 + n),
  ),
];

/** A folder from which all worlds start: games in play, the odds of one that is over, and the owner of an account. */
export async function prepareFolder(place: string): Promise<Prepared> {
  const folder = join(place, 'prepared');
  mkdirSync(folder, { mode: 0o700 });
  const config = join(place, 'config.json');
  writeFileSync(config, JSON.stringify({ plans: { free: FREE } }));
  const env = {
    CONFIG: config,
    FEEDS: 'none',
    LOG_LEVEL: 'warn',
    INGEST_KEY,
    LIVE_PAGE: 'off',
    WEBHOOK_ALLOW: '127.0.0.0/8',
    WEBHOOK_RETRY_SECONDS: '1,1,1,1,1,1,1',
  };
  const server = await warmServer().start(folder, env);
  if (!(await server.ready)) throw new Error(`not ready: ${server.stderr()}`);
  const { url } = server;
  const visitor = createVisitor(url);
  const email = 'owner@example.test';
  const must = (answer: { status: number; text: string }, status: number) => {
    if (answer.status !== status) throw new Error(`${answer.status}: ${answer.text}`);
    return answer.text;
  };
  must(await visitor.post('/register', { email, password: PASSWORD, name: 'Owner', plan: 'free' }), 303);
  let link: string | undefined;
  for (; link === undefined; link = linkTo(folder, email)) await new Promise((resolve) => setTimeout(resolve, 10));
  must(await verifyAddress(visitor, link, PASSWORD), 303);
  must(await visitor.post('/login', { email, password: PASSWORD }), 303);
  must(await visitor.post('/billing/payment-method', { payment_method: 'ok' }, { page: '/billing' }), 303);
  const made = await visitor.post('/api-keys', { name: 'first' });
  const shown = made.to === undefined ? made : await visitor.get(made.to);
  const first = /llk_[\w.-]+/.exec(shown.text)![0];
  const body = JSON.stringify({ name: 'second' });
  const second = JSON.parse(must(await ask(`${url}/api/agent/keys`, first, { method: 'POST', body }), 201)) as {
    key: string;
  };
  must(
    await sendMessages(
      url,
      Array.from({ length: GAMES }, (_, n) => schedule(n)),
      '?wait=projected',
    ),
    200,
  );
  must(await sendMessages(url, past, '?wait=projected'), 200);
  server.kill('SIGTERM');
  const { code, stderr } = await server.ended;
  if (code !== 0) throw new Error(stderr);
  const archiver = await openArchiver({ file: databaseFile(folder), archive: archiveFile(folder) });
  await archiveAll(archiver);
  archiver.close();
  return { folder, env, owner: { email, keys: [first, second.key], cookies: visitor.cookies } };
}
