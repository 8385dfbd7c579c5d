import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { addCharge, newLedgerBatch, toStreamAppends } from '../../../src/accounts/credits/ledger-batch.ts';
import { openJournal } from '../../../src/accounts/journal/journal-files.ts';
import type { ChargesEntry } from '../../../src/accounts/journal/journaled-sink.ts';
import { journalFiles, secretFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { run } from '../../../src/server/cli/verify.ts';
import { temporaryFolder } from '../../server/cli/launching.ts';
import { wholeSite } from '../../web/account/whole-application.ts';
import { generatedFeed, seeded } from '../kill/generated-feed.ts';
import { DAMAGES } from './folder-damages.ts';

/** With CASES=1 all of them, else a part: other ones each day. */
const SEEDS = 210;
const TRIED = Number(process.env['CASES'] ?? 0) >= 1 ? SEEDS : 42;
const FIRST = TRIED === SEEDS ? 0 : (Math.floor(Date.now() / 86_400_000) % (SEEDS / TRIED)) * TRIED;
const EVENTS = 8;
const EMAIL = 'ann@example.test';
const PEPPER = 'the pepper of the tests, of more than 32 characters';

type Site = Awaited<ReturnType<typeof wholeSite>>;

/** A folder at rest: games, keys that have spent credits, a user with a session, a payment, a charge in a journal. */
async function makeReference() {
  const folder = join(temporaryFolder(), 'data');
  mkdirSync(folder, { mode: 0o700 });
  for (const name of ['key-pepper', 'session-secret']) writeFileSync(secretFile(folder, name), `${PEPPER}\n`);
  const site = await wholeSite({ folder, pepper: PEPPER });
  const lines = generatedFeed(5).filter((line) => !(Number(/"ref":"[eo](\d+)"/.exec(line)?.[1]) >= EVENTS));
  const items = lines.map((text, index) => ({ line: index + 1, text }));
  await site.core.intake.accept(items);
  await site.core.projected();
  const { key, record } = await site.newKey({ credits: 5000 });
  const { id, accountId } = record;
  for (const path of ['/v1/sports', '/v1/events/1']) await get(site, path, key);
  await site.user(EMAIL);
  await site.browser().signIn(EMAIL);
  const at = '2026-03-01T12:00:00Z';
  await site.ports.registry.database
    .insertInto('payments')
    .values({
      ...{ key: 'p1', provider: 'development', account_id: accountId, attempt: 1, customer: 'c', payment_method: 'm' },
      ...{ pack_id: 1, pack_name: 'Small', credits: 100, price_cents: 500, currency: 'usd', key_id: id },
      ...{ request_id: 'r1', state: 'paid', created_at: at, updated_at: at },
    })
    .execute();
  await site.close();
  const journal = openJournal<ChargesEntry>(journalFiles(folder));
  for (let number = 1; number <= 3; number++) {
    const charges = newLedgerBatch();
    const call = {
      at,
      keyId: id,
      operation: 'get_odds',
      requestId: `j${number}`,
      status: 200,
      milliseconds: 3,
      credits: 1,
    };
    addCharge(charges, accountId, call, false);
    await journal.write({ number, appends: toStreamAppends(charges, () => `w.${number}`) });
  }
  journal.close();
  return { folder, key };
}

const get = async (site: Site, path: string, key: string) => {
  const response = await fetch(site.url + path, { headers: { authorization: `Bearer ${key}` } });
  return `${path} ${response.status} ${await response.text()}`;
};

/** What somebody sees of a folder: answers, a balance, and what a sign-in shows. */
async function observe(folder: string, key: string): Promise<readonly string[]> {
  const site = await wholeSite({ folder, pepper: PEPPER });
  try {
    const seen: string[] = [];
    const ids = Array.from({ length: EVENTS }, (_, n) => n + 1);
    const paths = [
      ...['/v1/sports', '/v1/events?limit=50', '/api/agent/credits', '/v1/teams?league=nba', '/v1/changes?limit=200'],
      ...ids.flatMap((id) => [
        `/v1/events/${id}`,
        `/v1/events/${id}/odds?bookmaker=all`,
        `/v1/events/${id}/score`,
        `/v1/events/${id}/odds?as_of=2025-01-07T12:00:00Z`,
      ]),
    ];
    for (const path of paths) seen.push(await get(site, path, key));
    const browser = site.browser();
    seen.push(String((await browser.signIn(EMAIL)).status));
    for (const page of ['/dashboard', '/billing']) seen.push(`${page} ${(await browser.get(page)).status}`);
    return seen.map((text) => text.replace(/"(request_id|token)":"[^"]*"/g, ''));
  } finally {
    await site.close();
  }
}

async function verify(folder: string): Promise<{ code: number; output: string }> {
  let output = '';
  const take = (text: unknown) => {
    output += String(text);
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(take));
  const listeners = process.stdout.listeners('error');
  // Vite's own.
  vi.stubEnv('BASE_URL', undefined);
  try {
    return { code: await run(['--data-dir', folder]), output };
  } finally {
    vi.unstubAllEnvs();
    for (const spy of spies) spy.mockRestore();
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.removeAllListeners(signal);
    for (const one of process.stdout.listeners('error')) {
      if (!listeners.includes(one)) process.stdout.off('error', one as () => void);
    }
  }
}

it('verify finds every damage that changes an answer, a balance or a sign-in', { timeout: 900_000 }, async () => {
  const { folder, key } = await makeReference();
  const copyTo = join(temporaryFolder(), 'copies');
  const copy = (name: string) => {
    const to = join(copyTo, name);
    cpSync(folder, to, { recursive: true });
    return to;
  };
  const whole = await verify(copy('whole'));
  expect(whole).toEqual({ code: 0, output: expect.stringContaining('tables: ') });
  const before = await observe(copy('before'), key);
  expect(await observe(copy('again'), key)).toEqual(before);
  const missed: string[] = [];
  let found = 0;
  for (let seed = FIRST; seed < FIRST + TRIED; seed++) {
    const random = seeded(seed);
    const damaged = copy(`seed-${seed}`);
    const what = `${seed}: ${DAMAGES[seed % DAMAGES.length]!(damaged, random)}`;
    const { code, output } = await verify(damaged);
    if (code === 1) {
      found++;
      // It says which file, table, record or document.
      expect(output, what).toMatch(/DAMAGED: |DIFFERENCES: |\.secret |ledgerline\.db/);
      continue;
    }
    const after = await observe(damaged, key).catch((error: Error) => [error.message]);
    if (JSON.stringify(after) !== JSON.stringify(before)) missed.push(what);
  }
  expect(missed).toEqual([]);
  expect(found).toBeGreaterThan(TRIED / 2);
});
