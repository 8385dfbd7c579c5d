import { accountStreams, type LedgerRecord } from '../../domain/accounts/events.ts';
import { type LastWritten, noteFirst } from '../../domain/record-id.ts';
import type { EventLog } from '../../event-log/event-log.ts';

const PAGE = 1000;

/** Everything in an account's ledger, from its start, read page by page: it may be of any length. Without the records
 *  that count for nothing, since their writer has appended them before. */
export async function* ledgerRecords(
  log: Pick<EventLog, 'readStream'>,
  accountId: number,
): AsyncGenerator<LedgerRecord> {
  const stream = accountStreams.ledger(accountId);
  const written: LastWritten = [];
  for (let fromRevision = 0; ; ) {
    const records = await log.readStream(stream, { fromRevision, limit: PAGE });
    for (const record of records as readonly LedgerRecord[]) {
      if (noteFirst(written, record.meta.id)) yield record;
    }
    if (records.length < PAGE) return;
    fromRevision = records.at(-1)!.revision + 1;
  }
}
