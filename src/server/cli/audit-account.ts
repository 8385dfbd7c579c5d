import { once } from 'node:events';
import type { BilledAccount } from '../../accounts/billing/billing-registry.ts';
import { ledgerRecords } from '../../accounts/credits/ledger-records.ts';
import { termsOfAccount } from '../../accounts/plan-terms.ts';
import { isUnlimited } from '../../domain/accounts/terms.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { ReadPorts } from '../composition/ports.ts';
import { CommandError, UsageError } from './arguments.ts';
import { auditedCalls } from './audit-calls.ts';
import { type LedgerEntry, ledgerEntries } from './audit-ledger.ts';
import { growingTable } from './audit-table.ts';

/** As an operator names an account. */
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

/** Prints an account's ledger, a page at a time: it may be of any length. */
export async function printLedger({ config, parts, name, json }: AccountAudit): Promise<void> {
  const account = await find(parts, name);
  const isUnlimitedNow = isUnlimited(termsOfAccount(account, config.plans));
  const toLines = json ? jsonLines : ledgerTable();
  let page: LedgerEntry[] = [];
  let isEmpty = true;
  for await (const entry of ledgerEntries(ledgerRecords(parts.log, account.id), isUnlimitedNow)) {
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

/** Waits for a slow reader, so that what it has not taken does not gather here. */
async function print(lines: readonly string[]): Promise<void> {
  if (!process.stdout.write(lines.map((line) => `${line}\n`).join(''))) await once(process.stdout, 'drain');
}
