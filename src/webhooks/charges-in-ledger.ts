import { accountStreams } from '../domain/accounts/events.ts';
import type { CreditsCharged } from '../domain/accounts/facts.ts';
import type { LogRecord } from '../domain/record.ts';
import { HOUR } from '../domain/time.ts';
import type { EventLog } from '../event-log/event-log.ts';
import type { Charge } from './store/webhook-store.ts';

const PAGE = 500;
/** By how much the clock may have been set back since. */
const TOLERANCE = HOUR;

/**
 * Which of these charges stand in an account's ledger, by their webhook ids. Read from its end to before the oldest of
 * them, since ledgers are long and these charges are recent.
 * @param revision of the ledger's last record, or of one shortly before it
 */
export async function chargesInLedger(
  log: Pick<EventLog, 'readStream'>,
  accountId: number,
  revision: number,
  charges: readonly Charge[],
): Promise<ReadonlySet<string>> {
  const wanted = new Set(charges.map(({ webhookId }) => webhookId));
  const found = new Set<string>();
  const since = Math.min(...charges.map(({ endedAt }) => endedAt)) - TOLERANCE;
  const stream = accountStreams.ledger(accountId);
  let from = Math.max(0, revision - PAGE + 1);
  // The first time without a limit: whatever came after `revision` belongs to it.
  let page = await log.readStream(stream, { fromRevision: from });
  for (;;) {
    for (const id of idsOf(page)) if (wanted.has(id)) found.add(id);
    const first = page[0];
    if (from === 0 || found.size === wanted.size) return found;
    if (first && Date.parse(first.recordedAt) < since) return found;
    const before = from;
    from = Math.max(0, before - PAGE);
    page = await log.readStream(stream, { fromRevision: from, limit: before - from });
  }
}

function* idsOf(records: readonly LogRecord[]): Generator<string> {
  for (const { type, data } of records) {
    if (type !== 'CreditsCharged') continue;
    for (const { requestId } of (data as CreditsCharged).charges) yield requestId;
  }
}
