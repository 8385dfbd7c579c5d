import type { ChargedCall } from '../../../src/domain/accounts/account-event-data.ts';
import { accountStreams, type LedgerRecord } from '../../../src/domain/accounts/account-events.ts';
import { readConfig } from '../../../src/platform/settings/config.ts';
import { openForReading } from '../../../src/server/embedded/embedded-stores.ts';
import { chargesIn, freeCallsIn } from '../../accounts/recorded-calls.ts';
import { run } from '../../server/cli/launching.ts';

/** What the log holds of an account. */
export interface Account {
  readonly granted: number;
  readonly charges: readonly ChargedCall[];
  /** Request ids of calls that cost nothing. */
  readonly free: readonly string[];
}

/** Reads the accounts' streams as they are, beside the server. */
export async function readAccounts(folder: string, ids: readonly number[]): Promise<ReadonlyMap<number, Account>> {
  const { log, close } = await openForReading(readConfig({}, folder));
  try {
    const accounts = new Map<number, Account>();
    for (const id of ids) {
      const ledger = (await log.readStream(accountStreams.ledger(id))) as readonly LedgerRecord[];
      const calls = await log.readStream(accountStreams.calls(id));
      accounts.set(id, {
        granted: ledger.reduce((sum, { type, data }) => (type === 'CreditsGranted' ? sum + data.credits : sum), 0),
        charges: chargesIn(ledger),
        free: freeCallsIn(calls).map(({ requestId }) => requestId),
      });
    }
    return accounts;
  } finally {
    await close();
  }
}

export const sumOf = (charges: readonly { readonly credits: number }[]): number =>
  charges.reduce((sum, { credits }) => sum + credits, 0);

interface AuditedEntry {
  readonly type: string;
  readonly credits: number;
  readonly balance: number | null;
  readonly request_id: string | null;
}

/** What `audit account` says. */
export async function audited(folder: string, account: number): Promise<readonly AuditedEntry[]> {
  const { code, stdout, stderr } = await run(['audit', 'account', String(account), '--json', '--data-dir', folder]);
  if (code !== 0) throw new Error(stderr);
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as AuditedEntry);
}

/** The most of these times that lie within so many milliseconds. */
export function mostWithin(milliseconds: number, times: readonly number[]): number {
  const sorted = [...times].sort((a, b) => a - b);
  let first = 0;
  let most = 0;
  sorted.forEach((time, last) => {
    while (sorted[first]! <= time - milliseconds) first++;
    most = Math.max(most, last - first + 1);
  });
  return most;
}
