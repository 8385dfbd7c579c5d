import { REMEMBERED_FOR } from '../api/calls/once/remembered-answers.ts';
import { accountStreams } from '../domain/accounts/events.ts';
import type { CreditsCharged } from '../domain/accounts/facts.ts';
import type { EventLog } from '../event-log/event-log.ts';

/** Records that are read at once: mostly the charge is among the last ones. */
const PAGE = 200;

/**
 * Whether the account's ledger has a charge for this run, of the time for which runs are remembered.
 * @param now milliseconds
 */
export async function hasPaid(
  log: Pick<EventLog, 'readStream'>,
  accountId: number,
  run: string,
  now: number,
): Promise<boolean> {
  const stream = accountStreams.ledger(accountId);
  for (let from: { fromRevision?: number } = {}; ; ) {
    const page = await log.readStream(stream, { direction: 'backwards', limit: PAGE, ...from });
    for (const { type, data } of page) {
      if (type === 'CreditsCharged' && (data as CreditsCharged).charges.some((charge) => charge.run === run))
        return true;
    }
    const last = page.at(-1);
    if (!last || last.revision === 0 || Date.parse(last.recordedAt) < now - REMEMBERED_FOR) return false;
    from = { fromRevision: last.revision - 1 };
  }
}
