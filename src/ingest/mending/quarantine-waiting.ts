import { eventDecider } from '../../../commands/events/event-decider.ts';
import { sourceRefOf } from '../../domain/identities/source-ref-of.ts';
import { canonicalJson, fingerprint } from '../../domain/primitives/canonical-json.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { pairKeyOf } from '../binding/event-binding.ts';
import { type IngestSession, identityKeyOf } from '../binding/ingest-session.ts';
import { createRecordFinder, replayedMessagesOf } from '../subjects/subjects.ts';

/**
 * What was reported of an event that has no schedule any more waits for one, as if it had come before. A message is put
 * here before the act is in the log: the other order would lose it in a crash.
 */
export async function quarantineWaiting(
  log: Pick<EventLog, 'readStream'>,
  { identities, states }: IngestSession,
  waiting: ReadonlyMap<number, readonly DomainRecord[]>,
): Promise<void> {
  const find = createRecordFinder(log);
  for (const [id, records] of waiting) {
    const [first, second] = (await states.get(eventDecider, id)).event.schedule?.sides ?? [];
    const pair = first && second ? pairKeyOf(first.key, second.key) : null;
    for (const record of records) {
      for (const message of await replayedMessagesOf(record, find)) {
        const named = sourceRefOf(record);
        const keys = [
          ...(named ? [identityKeyOf.event(named.source, named.ref)] : []),
          ...(pair === null ? [] : [identityKeyOf.pair(pair)]),
        ];
        await identities.quarantine({
          fingerprint: fingerprint(canonicalJson(message)),
          message,
          reason: 'its event has no schedule since an act on identities',
          code: named ? 'unknown_ref' : 'unknown_event',
          candidates: [],
          keys,
          receivedAt: record.recordedAt,
          accepted: false,
        });
      }
    }
  }
}
