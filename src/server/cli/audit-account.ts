import { once } from 'node:events';
import { accountTermsOfBilled } from '../../accounts/billing/account-terms.ts';
import type { BilledAccount } from '../../accounts/billing/model/billing-registry.ts';
import { readLedgerRecords } from '../../accounts/credits/ledger-reader.ts';
import type { LedgerEventData, LedgerRecord } from '../../domain/accounts/account-events.ts';
import { isUnlimited } from '../../domain/accounts/credit-terms.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { ReadPorts } from '../composition/ports.ts';
import { CommandError, UsageError } from './arguments.ts';
import { auditedCalls } from './audit-calls.ts';
import { growingTable } from './audit-table.ts';

/** How an operator names an account. */
export type AccountName = { readonly id: number } | { readonly email: string };

/** @throws UsageError */
export function accountName(text: string): AccountName {
  if (/^[1-9]\d{0,14}$/.test(text)) return { id: Number(text) };
  if (/^[^\s@]+@[^\s@]+$/.test(text)) return { email: text };
  throw new UsageError(`${text} is neither the id of an account nor its e-mail; keys list shows ids as account_id`);
}

export interface AccountAudit {
  readonly config: Config;
  readonly parts: ReadPorts;
  readonly name: AccountName;
  readonly json: boolean;
}

const PAGE = 1000;

/** Prints an account's ledger page by page, since it may have any length. */
export async function printLedger({ config, parts, name, json }: AccountAudit): Promise<void> {
  const account = await find(parts, name);
  const isUnlimitedNow = isUnlimited(accountTermsOfBilled(account, config.plans));
  const toLines = json ? jsonLines : ledgerTable();
  let page: LedgerEntry[] = [];
  let isEmpty = true;
  for await (const entry of ledgerEntries(readLedgerRecords(parts.log, account.id), isUnlimitedNow)) {
    isEmpty = false;
    page.push(entry);
    if (page.length < PAGE) continue;
    await print(toLines(page));
    page = [];
  }
  if (page.length > 0) await print(toLines(page));
  else if (isEmpty && !json) await print([`nothing stands in the ledger of account ${account.id} yet`]);
}

/** Prints the newest calls of an account. */
export async function printCalls(audit: AccountAudit, most: number): Promise<void> {
  const { parts, name, json } = audit;
  const { id } = await find(parts, name);
  const calls = await auditedCalls(parts, id, most);
  if (json) await print(jsonLines(calls));
  else if (calls.length === 0) await print([`account ${id} has made no calls yet`]);
  else {
    const numbers = ['KEY', 'STATUS', 'CREDITS', 'MS'];
    const toLines = growingTable(['TIME', 'KEY', 'OPERATION', 'STATUS', 'CREDITS', 'MS', 'REQUEST'], { numbers });
    await print(toLines(calls.map((call) => cells(Object.values(call)))));
  }
}

async function find({ billing }: ReadPorts, name: AccountName): Promise<BilledAccount> {
  const account = await ('id' in name ? billing.account(name.id) : billing.accountByEmail(name.email));
  if (!account) throw new CommandError(`there is no account ${'id' in name ? name.id : name.email}`);
  return account;
}

const jsonLines = (entries: readonly object[]): string[] => entries.map((entry) => JSON.stringify(entry));

function ledgerTable(): (entries: readonly LedgerEntry[]) => string[] {
  const headings = ['POSITION', 'TIME', 'TYPE', 'CREDITS', 'BALANCE', 'OPERATION', 'KEY', 'REQUEST'];
  const toLines = growingTable(headings, { numbers: ['POSITION', 'CREDITS', 'BALANCE', 'KEY'] });
  return (entries) =>
    toLines(
      entries.map(({ position, at, type, credits, balance, operation, request_id, key_id }) =>
        cells([position, at, type, credits > 0 ? `+${credits}` : credits, balance, operation, key_id, request_id]),
      ),
    );
}

const cells = (values: readonly (string | number | null)[]): string[] => values.map((value) => String(value ?? '-'));

/** Waits for a slow reader, so that unread output does not fill the memory. */
async function print(lines: readonly string[]): Promise<void> {
  if (!process.stdout.write(lines.map((line) => `${line}\n`).join(''))) await once(process.stdout, 'drain');
}

/** One line of an account's ledger, with the members that `audit account --json` prints. */
export interface LedgerEntry {
  /** The record's position, as decimal digits; the charges of one record share it. */
  readonly position: string;
  readonly at: string;
  readonly type: keyof LedgerEventData;
  /** The change of the balance; a charge is negative. */
  readonly credits: number;
  /** The balance after the entry; null while the account's credits have no limit. */
  readonly balance: number | null;
  readonly operation: string | null;
  readonly request_id: string | null;
  readonly key_id: number | null;
}

/**
 * An account's ledger, entry by entry. The balance is summed here, and not taken from the server's fold: an audit that shares
 * its arithmetic would find nothing.
 *
 * No record says whether the plan of that time was unlimited. Charges show it, and so do first grants and grants of the
 * operator, which unlimited accounts do not get. Any other entry is treated like the entry before it, else like the next.
 * @param isUnlimitedNow used if no record shows it
 */
export async function* ledgerEntries(
  records: AsyncIterable<LedgerRecord>,
  isUnlimitedNow: boolean,
): AsyncGenerator<LedgerEntry> {
  let balance = 0;
  let isUnlimited: boolean | undefined;
  const untold: LedgerEntry[] = [];
  const shown = (entry: LedgerEntry, unlimited: boolean) => (unlimited ? { ...entry, balance: null } : entry);
  for await (const record of records) {
    const { position, type } = record;
    isUnlimited = tellsUnlimited(record) ?? isUnlimited;
    for (const { at, credits, operation = null, requestId = null, keyId = null } of changesOf(record)) {
      // An unlimited account loses nothing: its charges are only recorded.
      if (!isUnlimited || type !== 'CreditsCharged') balance += credits;
      const of = { operation, request_id: requestId, key_id: keyId };
      untold.push({ position: String(position), at, type, credits, balance, ...of });
    }
    if (isUnlimited === undefined) continue;
    for (const entry of untold.splice(0)) yield shown(entry, isUnlimited);
  }
  for (const entry of untold) yield shown(entry, isUnlimitedNow);
}

function tellsUnlimited({ type, data }: LedgerRecord): boolean | undefined {
  if (type === 'CreditsCharged') return data.unlimited === true;
  // These grants show nothing: a plan may grant monthly credits beside unlimited first ones, and staff may give any.
  return type === 'CreditsGranted' && (data.kind === 'initial' || data.kind === 'order') ? false : undefined;
}

interface Change {
  readonly at: string;
  readonly credits: number;
  readonly operation?: string | null;
  readonly requestId?: string;
  readonly keyId?: number | null;
}

function changesOf({ type, data }: LedgerRecord): readonly Change[] {
  switch (type) {
    case 'CreditsCharged':
      return data.charges.map((charge) => ({
        ...charge,
        at: charge.chargedAt ?? charge.at,
        credits: -charge.credits,
      }));
    case 'CreditsExpired':
      return [{ ...data, credits: -data.credits }];
    case 'InvoiceDeclined':
    case 'InvoicePaid':
    case 'PlanChanged':
      return [{ ...data, credits: 0 }];
    default:
      return [data];
  }
}
