import { accountStreams, type LedgerRecord } from '../../domain/accounts/events.ts';
import type { EventLog } from '../../event-log/event-log.ts';

/** One change of an account's balance, for people to read. */
export interface LedgerLine {
  /** ISO 8601. */
  readonly at: string;
  /** Of the domain event. */
  readonly type: LedgerRecord['type'];
  /** What it adds to the balance; a charge is negative. */
  readonly credits: number;
  /** What tells more: a charge's operation, a grant's name or why it was given, the reason of a refund. */
  readonly about: string | null;
  readonly requestId: string | null;
}

/** The newest entries of an account's ledger, newest first, at most `limit`: however long the ledger is, so many records
 *  are read. */
export async function newestLedgerEntries(
  { log }: { readonly log: Pick<EventLog, 'readStream'> },
  accountId: number,
  limit: number,
): Promise<readonly LedgerLine[]> {
  const stream = accountStreams.ledger(accountId);
  const lines: LedgerLine[] = [];
  // A record that its writer has appended twice counts once.
  const seen = new Set<string>();
  for (let fromRevision: number | undefined; lines.length < limit; ) {
    const from = fromRevision === undefined ? {} : { fromRevision };
    const records = await log.readStream(stream, { direction: 'backwards', limit, ...from });
    for (const record of records as readonly LedgerRecord[]) {
      const { id } = record.meta;
      if (id !== undefined && seen.has(id)) continue;
      if (id !== undefined) seen.add(id);
      lines.push(...linesOf(record));
    }
    const { revision } = records.at(-1) ?? { revision: 0 };
    if (revision === 0) break;
    fromRevision = revision - 1;
  }
  return lines.slice(0, limit);
}

/** The newest first. */
function linesOf({ type, data }: LedgerRecord): readonly LedgerLine[] {
  switch (type) {
    case 'CreditsCharged':
      return data.charges
        .map(({ at, chargedAt, credits, operation, requestId }) => ({
          ...{ at: chargedAt ?? at, type, credits: -credits, about: operation, requestId },
        }))
        .reverse();
    case 'CreditsGranted':
      return [{ at: data.at, type, credits: data.credits, about: data.reason ?? data.grant, requestId: null }];
    case 'CreditsToppedUp':
      return [
        { at: data.at, type, credits: data.credits, about: `pack ${data.packId}`, requestId: data.requestId ?? null },
      ];
    case 'CreditsExpired':
      return [{ at: data.at, type, credits: -data.credits, about: data.grant, requestId: null }];
    case 'CreditsRefunded':
      return [{ at: data.at, type, credits: data.credits, about: data.reason, requestId: data.requestId }];
    case 'PlanChanged':
      return [{ at: data.at, type, credits: 0, about: data.plan, requestId: null }];
    case 'InvoiceDeclined':
    case 'InvoicePaid':
      return [{ at: data.at, type, credits: 0, about: data.invoice, requestId: null }];
  }
}
