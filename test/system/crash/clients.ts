import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { mailFolder } from '../../../src/platform/data-folder/folder-paths.ts';
import type { Random } from '../../api/fuzz/random.ts';
import { team } from '../../server/cli/launching.ts';
import { createVisitor, type Visitor, verifyAddress } from '../../web/account/visitor.ts';
import { type Acknowledged, INGEST_KEY, type Owner, PASSWORD, type Purchase, type Registered } from './acknowledged.ts';

const PATIENCE_MS = 10_000;
export const GAMES = 4;

export interface ClientParts {
  readonly url: string;
  readonly folder: string;
  readonly random: Random;
  readonly owner: Owner;
  readonly acknowledged: Acknowledged;
  /** Another text each time. */
  readonly newId: (of: string) => string;
  /** Nobody asks for more. */
  readonly isOver: () => boolean;
}

interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export async function ask(
  url: string,
  key: string,
  init: RequestInit & { requestId?: string } = {},
): Promise<Answered> {
  const { requestId, ...rest } = init;
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
    ...(init.headers as Record<string, string>),
  };
  const response = await fetch(url, { ...rest, headers, signal: AbortSignal.timeout(PATIENCE_MS) });
  const answer = { status: response.status, headers: response.headers, text: await response.text() };
  const isOfRoom = answer.status === 503 && answer.headers.has('retry-after');
  if (answer.status >= 500 && !isOfRoom) throw new Error(`${url}: ${answer.status} ${answer.text}`);
  return answer;
}

const post = (body: unknown) => ({ method: 'POST', body: JSON.stringify(body) });
export const sendMessages = (url: string, messages: readonly object[], search = '') =>
  ask(`${url}/ingest/v1/messages${search}`, INGEST_KEY, post(messages));

/** Teams, and scores of games of its own, each with news. */
async function feed({ url, random, acknowledged, newId, isOver }: ClientParts, feeder: number): Promise<void> {
  for (let time = Date.now(); !isOver(); ) {
    time = Math.max(time + 1, Date.now());
    const messages = Array.from({ length: 1 + random.below(3) }, (): object => {
      const n = Number(newId(''));
      if (random.chance(0.4)) return JSON.parse(team(n)) as object;
      const scores = [
        { role: 'home', score: String(n) },
        { role: 'away', score: '0' },
      ];
      const ref = `g${2 * feeder + random.below(GAMES / 2)}`;
      const at = new Date(time++).toISOString();
      return { kind: 'score', source: 'crash', at, ref, status: 'inprogress', period: '1', scores };
    });
    const { status, text } = await sendMessages(url, messages);
    if (status === 200) {
      if (JSON.parse(text).accepted !== messages.length) throw new Error(`not accepted: ${text}`);
      acknowledged.messages.push(...messages);
    }
    await delay(random.below(8));
  }
}

const PATHS = [
  '/v1/sports',
  '/v1/events?limit=3',
  '/v1/events/1',
  '/v1/events/1/odds',
  '/v1/events/2?include_odds=true',
  // In the archive.
  `/v1/events/${GAMES + 1}/odds?as_of=2019-02-05T12:00:00Z`,
];

async function call({ url, random, owner, acknowledged, newId, isOver }: ClientParts, key: string): Promise<void> {
  void owner;
  while (!isOver()) {
    const one: Acknowledged['calls'][number] = { requestId: newId('call-') };
    acknowledged.calls.push(one);
    const { status, headers } = await ask(url + random.pick(PATHS), key, { requestId: one.requestId });
    one.status = status;
    one.credits = Number(headers.get('x-credits-used'));
    await delay(random.below(6));
  }
}

/** Asks for a purchase, once more where it got no answer. */
export async function buy(parts: Pick<ClientParts, 'url' | 'owner' | 'newId'>, purchase: Purchase): Promise<void> {
  const requestId = parts.newId('buy-');
  purchase.requestIds.push(requestId);
  const headers = { 'idempotency-key': purchase.idempotencyKey };
  const { status } = await ask(`${parts.url}/api/agent/credits/topup`, parts.owner.keys[0]!, {
    ...post({ pack_id: 1 }),
    headers,
    requestId,
  });
  if (status === 200) purchase.isAnswered = true;
}

async function buyPacks(parts: ClientParts): Promise<void> {
  while (!parts.isOver()) {
    const purchase: Purchase = { idempotencyKey: parts.newId('pack-'), requestIds: [], isAnswered: false };
    parts.acknowledged.purchases.push(purchase);
    await buy(parts, purchase);
    await delay(parts.random.below(40));
  }
}

async function makeKeys({ url, random, owner, acknowledged, newId, isOver }: ClientParts): Promise<void> {
  const keys = `${url}/api/agent/keys`;
  while (!isOver()) {
    const made = await ask(keys, owner.keys[1]!, post({ name: newId('key ') }));
    if (made.status === 201)
      acknowledged.keys.push({ ...(JSON.parse(made.text) as { id: number; key: string }), revoked: 'no' });
    const [old] = acknowledged.keys.filter(({ revoked }) => revoked === 'no');
    if (old && random.chance(0.4)) {
      old.revoked = 'asked';
      const { status } = await ask(`${keys}/${old.id}`, owner.keys[1]!, { method: 'DELETE' });
      if (status < 300) old.revoked = 'yes';
      else old.revoked = status === 503 ? 'no' : 'asked';
    }
    await delay(random.below(40));
  }
}

/** Somebody registers, and who has before signs in and subscribes. */
async function comeAndSubscribe(parts: ClientParts): Promise<void> {
  const { url, acknowledged, newId, isOver } = parts;
  const email = `${newId('user')}@example.test`;
  const answer = await createVisitor(url).post('/register', { email, password: PASSWORD, name: 'N', plan: 'free' });
  if (answer.status === 303) acknowledged.users.push({ email, isVerified: false, subscribed: 'no' });
  for (const user of acknowledged.users) {
    if (isOver()) return;
    if (user.subscribed === 'no') await subscribe(parts, user);
  }
}

async function subscribe(
  { url, folder, newId }: Pick<ClientParts, 'url' | 'folder' | 'newId'>,
  user: Registered,
): Promise<void> {
  const visitor = await signIn(url, folder, user);
  if (!visitor) return;
  const card = await visitor.post('/billing/payment-method', { payment_method: 'ok' }, { page: '/billing' });
  if (card.status !== 303) return;
  user.subscribed = 'asked';
  const fields = { plan: 'growth', idempotency_key: newId('growth-') };
  const { status } = await visitor.post('/billing/subscribe', fields, { page: '/billing' });
  if (status === 303) user.subscribed = 'yes';
}

/** Opens the link of the mail first, where that was not done. Undefined: not now. */
export async function signIn(url: string, folder: string, user: Registered): Promise<Visitor | undefined> {
  const visitor = createVisitor(url);
  if (!user.isVerified) {
    const link = linkTo(folder, user.email);
    if (link === undefined) return undefined;
    // The page of a link that was used before leads on by itself.
    const opened = await visitor.get(link);
    const { status, to = '' } = opened.status === 200 ? await verifyAddress(visitor, link, PASSWORD) : opened;
    if (status !== 303 || !to.startsWith('/login')) return undefined;
    user.isVerified = true;
  }
  const { status, to } = await visitor.post('/login', { email: user.email, password: PASSWORD });
  return status === 303 && to !== '/login' ? visitor : undefined;
}

/** Path and query of the link in the newest mail to this address. */
export function linkTo(folder: string, email: string): string | undefined {
  for (const name of mailsIn(folder)) {
    const text = readFileSync(join(mailFolder(folder), name), 'utf8');
    if (!text.includes(`To: ${email}`) && !text.includes(`<${email}>`)) continue;
    const link = /https?:\/\/[^/\s]+(\/\S*token=\S+)/.exec(text)?.[1];
    if (link) return link;
  }
  return undefined;
}

function mailsIn(folder: string): string[] {
  try {
    return readdirSync(mailFolder(folder))
      .filter((name) => name.endsWith('.eml'))
      .sort()
      .reverse();
  } catch {
    return [];
  }
}

/** All at once, until it is over or nobody answers any more. */
export async function beClients(parts: ClientParts): Promise<void> {
  const [first, second] = parts.owner.keys as [string, string];
  const all = [
    feed(parts, 0),
    feed(parts, 1),
    call(parts, first),
    call(parts, second),
    buyPacks(parts),
    makeKeys(parts),
  ];
  if (parts.random.chance(0.5)) all.push(comeAndSubscribe(parts));
  const results = await Promise.allSettled(all);
  for (const result of results) {
    if (result.status === 'rejected' && !isOfConnection(result.reason)) throw result.reason;
  }
}

/** The server went away, or took too long. */
export const isOfConnection = (error: unknown): boolean =>
  error instanceof TypeError || (error as Error).name === 'TimeoutError' || (error as Error).name === 'AbortError';
