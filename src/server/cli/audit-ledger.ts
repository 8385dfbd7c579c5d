import type { LedgerEventData, LedgerRecord } from '../../domain/accounts/events.ts';

/** One line of an account's ledger, with the members that `audit account --json` prints. */
export interface LedgerEntry {
  /** The record's position, as decimal digits; the charges of one record share it. */
  readonly position: string;
  readonly at: string;
  readonly type: keyof LedgerEventData;
  /** What the entry adds to the balance; a charge is negative. */
  readonly credits: number;
  /** The balance after the entry; null while the account's credits have no limit. */
  readonly balance: number | null;
  readonly operation: string | null;
  readonly request_id: string | null;
  readonly key_id: number | null;
}

/**
 * An account's ledger, entry by entry. The balance is summed up here, and not taken from what the server folds: an audit
 * that shares its arithmetic would find nothing.
 *
 * What its plan gave then stands in no record. Charges tell whether credits had a limit, and so do grants of a first time
 * or by the operator's order, which accounts without a limit do not get; other entries are taken to be as what stands
 * before them, or else as what follows them.
 * @param isUnlimitedNow where no record tells
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
      // Nothing is taken from an account without a limit: what it was charged is for the record.
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
  // A plan may grant credits of the month beside first ones without a limit, and anybody may be given some.
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
