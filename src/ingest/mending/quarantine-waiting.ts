import { eventDecider } from '../../../commands/events/event-decider.ts';
import { sourceRefOf } from '../../domain/identities/source-ref-of.ts';
import { canonicalJson, fingerprint } from '../../domain/primitives/canonical-json.ts';
import { normalizeName } from '../../domain/primitives/name-normalization.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { pairKeyOf } from '../binding/event-binding.ts';
import { type IngestSession, identityKeyOf, unclearName } from '../binding/ingest-session.ts';
import { createRecordFinder, replayedMessagesOf } from '../subjects/subjects.ts';
import type { InjuryReport } from './move-replay.ts';

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

/** A report of an injury whose player is not known any more waits for him, as if he had not been known at first. */
export async function quarantineUnidentified(
  log: Pick<EventLog, 'readStream'>,
  { identities }: IngestSession,
  reports: readonly InjuryReport[],
): Promise<void> {
  const find = createRecordFinder(log);
  for (const report of reports) {
    const { sport, source, content, origin } = report.data;
    const keys = [
      identityKeyOf.name('player', sport, normalizeName(content.player)),
      ...(origin.player_ref === undefined ? [] : [identityKeyOf.entity('player', sport, source, origin.player_ref)]),
    ];
    for (const message of await replayedMessagesOf(report, find)) {
      await identities.quarantine({
        fingerprint: fingerprint(canonicalJson(message)),
        message,
        candidates: [],
        ...unclearName('player', sport, content.player, [], keys),
        receivedAt: report.recordedAt,
        accepted: true,
      });
    }
  }
}
