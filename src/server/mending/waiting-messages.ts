import { actOf } from '../../../commands/identity-decider.ts';
import type { Identities, QuarantinedMessage, QuarantinePart } from '../../ingest/identities/identities.ts';
import { dismissedKey } from '../../ingest/identities/waiting-groups.ts';
import type { DismissedRow, MessageRow } from '../../web/account/admin/identity-desk.ts';
import { newestActs, partsOf, type RecordedActs } from './act-rows.ts';

type Read = Pick<Identities, 'listWaiting' | 'findWaitingFor'>;

/** A message in quarantine, as commands print it. */
export const messageRow = (quarantined: QuarantinedMessage): MessageRow => {
  const { message, reason, code, candidates, receivedAt, keys } = quarantined;
  return { received_at: receivedAt, reason, code, candidates, waits_for: keys, message };
};

/** The messages of a group, or those that an act has dismissed, oldest first. */
export async function messageRows(
  identities: Pick<Read, 'listWaiting'>,
  of: string | { readonly act: number },
  limit: number,
): Promise<readonly MessageRow[]> {
  const part: QuarantinePart = typeof of === 'string' ? { group: of } : { key: dismissedKey(of.act) };
  return (await identities.listWaiting(part, limit)).map(messageRow);
}

/** What acts in force have dismissed and still keep, the newest act first. */
export async function dismissedRows(
  identities: Pick<Read, 'findWaitingFor'>,
  acts: RecordedActs,
): Promise<readonly DismissedRow[]> {
  const rows: DismissedRow[] = [];
  for (const { act, action, at, by, note, undone_by } of newestActs(acts, null, Number.POSITIVE_INFINITY)) {
    if (action !== 'dismiss' || undone_by !== null) continue;
    const kept = await identities.findWaitingFor(dismissedKey(act));
    if (!kept) continue;
    const { content } = actOf(acts.state, act)!;
    const { what, from } = partsOf(content as Parameters<typeof partsOf>[0]);
    const { messages: count, kinds, firstAt: first_at, lastAt: last_at } = kept;
    rows.push({ act, at, by, note, what, from, count, kinds, first_at, last_at });
  }
  return rows;
}
