import { setTimeout as delay } from 'node:timers/promises';
import type { LedgerRecord } from '../../../src/domain/accounts/account-events.ts';
import { applyLedgerRecord, newLedger } from '../../../src/domain/accounts/credit-ledger.ts';
import type { LogRecord } from '../../../src/domain/event-sourcing/record.ts';
import { databaseFile } from '../../../src/platform/data-folder/folder-paths.ts';
import { findDamage } from '../../../src/platform/sqlite/find-damage.ts';
import { openSqliteDatabase } from '../../../src/platform/sqlite/sqlite-database.ts';
import { openForReading } from '../../../src/server/embedded/embedded-stores.ts';
import { patientTimeout } from '../../support/patient-timeout.ts';
import type { Acknowledged } from './acknowledged.ts';
import { ask, buy, type ClientParts, linkTo, sendMessages, signIn } from './clients.ts';

/** A broken promise of the server. */
export class Broken extends Error {}

export function must(holds: boolean, text: () => string): void {
  if (!holds) throw new Broken(text());
}

const listed = (things: readonly unknown[]) => JSON.stringify(things.slice(0, 5)).slice(0, 600);

/** All records of the log of a folder. */
export async function readLog(folder: string): Promise<readonly LogRecord[]> {
  const parts = await openForReading({ dataDir: folder });
  try {
    const records: LogRecord[] = [];
    for await (const page of parts.log.readAllFrom(null)) records.push(...page);
    return records;
  } finally {
    await parts.close();
  }
}

function expectWhole(records: readonly LogRecord[]): void {
  const revisions = new Map<string, number>();
  let last = 0n;
  for (const { position, stream, revision } of records) {
    must(position > last, () => `position ${position} after ${last}`);
    must(revision === (revisions.get(stream) ?? -1) + 1, () => `revision ${revision} of ${stream}`);
    revisions.set(stream, revision);
    last = position;
  }
}

/** Each answered call is charged once, and none that was refused; each purchase is granted once. */
function expectCharged(records: readonly LogRecord[], { calls, purchases, users }: Acknowledged): void {
  const ledger = records as readonly unknown[] as readonly LedgerRecord[];
  const charges = ledger.flatMap((record) => (record.type === 'CreditsCharged' ? record.data.charges : []));
  const charged = new Map(charges.map(({ requestId, credits }) => [requestId, credits]));
  must(charged.size === charges.length, () => `charged twice: ${charges.length} charges of ${charged.size} calls`);
  const wrong = calls.filter(({ requestId, status, credits }) => {
    if (status === undefined) return false;
    return status === 200 && credits! > 0 ? charged.get(requestId) !== credits : charged.has(requestId);
  });
  must(wrong.length === 0, () => `answered otherwise than charged: ${listed(wrong)}`);
  const bought = ledger.flatMap((record) => (record.type === 'CreditsToppedUp' ? [record.data] : []));
  must(new Set(bought.map(({ payment }) => payment)).size === bought.length, () => 'a payment is granted twice');
  for (const purchase of purchases) {
    const times = bought.filter(({ requestId }) => purchase.requestIds.includes(requestId!)).length;
    must(purchase.isAnswered ? times === 1 : times <= 1, () => `granted ${times} times: ${JSON.stringify(purchase)}`);
  }
  const paid = ledger.flatMap((record) =>
    record.type === 'PlanChanged' && record.data.reason === 'paid' ? [record.data.accountId] : [],
  );
  must(new Set(paid).size === paid.length, () => `paid twice for one month: accounts ${listed(paid)}`);
  const subscribed = users.filter(({ subscribed }) => subscribed === 'yes').length;
  must(paid.length >= subscribed, () => `${subscribed} users pay for a plan, and ${paid.length} plans are paid`);
}

/** @throws Broken */
export function expectWholeDatabase(folder: string): void {
  const database = openSqliteDatabase({ file: databaseFile(folder), readonly: true });
  try {
    const damage = findDamage(database);
    must(damage === undefined, () => `the database is damaged: ${damage}`);
  } finally {
    database.close();
  }
}

export interface CheckParts extends Omit<ClientParts, 'isOver'> {
  /** Acknowledged before this run of the server began, and not looked at since. */
  readonly since: { readonly messages: number; readonly keys: number };
}

/** Whatever was acknowledged is there, once. @throws Broken */
export async function checkKept(parts: CheckParts): Promise<void> {
  const { url, folder, acknowledged, owner, since } = parts;
  const records = await readLog(folder);
  expectWhole(records);
  expectCharged(records, acknowledged);
  await checkMessages(url, acknowledged.messages.slice(since.messages));
  await checkKeys(url, acknowledged.keys.slice(since.keys));
  for (const purchase of acknowledged.purchases) {
    if (purchase.isAnswered) continue;
    await buy(parts, purchase);
    must(purchase.isAnswered, () => `a purchase is not taken up: ${JSON.stringify(purchase)}`);
  }
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const account = await fetch(`${url}/account`, { headers: { cookie }, redirect: 'manual' });
  await account.text();
  must(account.status === 200, () => `the owner's session: ${account.status}`);
  await checkUsers(parts);
  await checkBalance(parts);
}

async function checkMessages(url: string, messages: readonly object[]): Promise<void> {
  if (messages.length === 0) return;
  const { status, text } = await sendMessages(url, messages);
  const report = JSON.parse(text) as Record<string, unknown>;
  must(
    status === 200 && report['unchanged'] === messages.length,
    () => `${messages.length} messages again: ${status} ${text}`,
  );
}

async function checkKeys(url: string, keys: Acknowledged['keys']): Promise<void> {
  for (const { id, key, revoked } of keys) {
    if (revoked === 'asked') continue;
    const { status } = await ask(`${url}/v1/health`, key);
    must(status === (revoked === 'yes' ? 401 : 200), () => `key ${id}, revoked: ${revoked}, opens with ${status}`);
  }
}

async function checkUsers({ url, folder, acknowledged }: CheckParts): Promise<void> {
  const latest = acknowledged.users.slice(-2);
  for (const user of latest) {
    if (user.isVerified) continue;
    // A mail that was queued goes out soon after the start.
    const until = Date.now() + patientTimeout(5000);
    while (linkTo(folder, user.email) === undefined && Date.now() < until) await delay(20);
    const mailed = linkTo(folder, user.email) !== undefined || isTakenUp(folder, user.email);
    must(mailed, () => `no mail has come to ${user.email}, who has registered`);
  }
  const [newest] = latest.slice(-1);
  if (!newest) return;
  if (!newest.isVerified && linkTo(folder, newest.email) === undefined) return;
  must((await signIn(url, folder, newest)) !== undefined, () => `${newest.email} cannot sign in`);
}

/**
 * Whether a process had begun with the mail when it ended, or could not send it: another attempt begins some minutes
 * later. Mails that are written are sealed, so any that waits counts.
 */
function isTakenUp(folder: string, email: string): boolean {
  const database = openSqliteDatabase({ file: databaseFile(folder), readonly: true });
  const jobs = database.prepare('SELECT content FROM background_jobs WHERE taken_until IS NOT NULL').raw().all();
  const mails = database.prepare('SELECT id FROM mails WHERE due_at > ?').raw().all([Date.now()]);
  database.close();
  return mails.length > 0 || (jobs as [string][]).some(([content]) => content.includes(email));
}

async function checkBalance({ url, folder, owner }: CheckParts): Promise<void> {
  const { text } = await ask(`${url}/api/agent/credits`, owner.keys[0]!);
  const { total_remaining: remaining } = JSON.parse(text) as { total_remaining: number };
  const records = await readLog(folder);
  const accounts = new Map<number, LedgerRecord[]>();
  for (const record of records as readonly unknown[] as readonly LedgerRecord[]) {
    if (!/^account-\d+$/.test(record.stream)) continue;
    accounts.set(record.data.accountId, [...(accounts.get(record.data.accountId) ?? []), record]);
  }
  const first = [...accounts.values()].find((ledger) => ledger.some(({ type }) => type === 'CreditsCharged'));
  if (!first) return;
  const { balance } = first.reduce(applyLedgerRecord, newLedger());
  must(balance === remaining, () => `the balance is ${remaining}, of a ledger that says ${balance}`);
}
