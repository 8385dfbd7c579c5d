import type { SlipGradedRecord } from '../accounts/receipt-events.ts';
import { isReplayed, type LogRecord } from '../event-sourcing/record.ts';
import type { ExperimentRecord } from '../experiments/experiment-events.ts';
import type { DomainRecord } from '../streams/domain-events.ts';
import type { ClosingRecord } from './closing-events.ts';
import { HASH_TEXT, hashOfLeaf, type LeafContent, SALT_TEXT, type SealedLeaf } from './sealed-leaf.ts';

/** The types of records that have leaves. */
export const SEALED_TYPES = [
  'IntelligencePublished',
  'SlipGraded',
  'ClosingRecorded',
  'ExperimentPosted',
  'ExperimentEnded',
  'ExperimentClosed',
] as const;

type SealedRecord =
  | Extract<DomainRecord, { type: 'IntelligencePublished' }>
  | SlipGradedRecord
  | ClosingRecord
  | ExperimentRecord;

/**
 * The leaves of one record, in their order. None for a record that was made before there were salts: a salt that is made
 * later would stand nowhere. None either for one that repeats an earlier record since an identity was mended.
 */
export function leavesOfRecord(untyped: LogRecord<any, any>): readonly SealedLeaf[] {
  if (isReplayed(untyped)) return [];
  const record = untyped as SealedRecord;
  const recorded_at = record.recordedAt;
  switch (record.type) {
    case 'IntelligencePublished': {
      const {
        eventId: event_id,
        sport,
        league,
        at,
        model_version,
        has_recommend,
        bets,
        salt,
        selections,
      } = record.data;
      const event = { recorded_at, event_id, sport, league, at, model_version };
      return [
        ...publicLeaf(salt, { kind: 'forecast', ...event, has_recommend, bets }),
        ...(selections ?? []).flatMap(({ salt: own, ...selection }) =>
          publicLeaf(own, { kind: 'selection', ...event, ...selection }),
        ),
      ];
    }
    case 'SlipGraded':
    case 'ExperimentPosted': {
      const { leaf } = record.data;
      return typeof leaf === 'string' && HASH_TEXT.test(leaf) ? [{ hash: Buffer.from(leaf, 'hex') }] : [];
    }
    // Neither names the account: what became of an experiment stays provable when its account is gone.
    case 'ExperimentEnded': {
      const { id, at, salt } = record.data;
      return publicLeaf(salt, { kind: 'experiment_end', recorded_at, id, at });
    }
    case 'ExperimentClosed': {
      const { salt, accountId: _, ...closed } = record.data;
      return publicLeaf(salt, { kind: 'experiment_result', recorded_at, ...closed });
    }
    case 'ClosingRecorded': {
      const { salt, eventId: event_id, sport, league, closesAt: closes_at, at, consensus, prices } = record.data;
      return publicLeaf(salt, {
        kind: 'closing',
        recorded_at,
        event_id,
        sport,
        league,
        at,
        closes_at,
        consensus,
        prices,
      });
    }
    default:
      return [];
  }
}

const publicLeaf = (salt: string | undefined, content: LeafContent): readonly SealedLeaf[] =>
  salt !== undefined && SALT_TEXT.test(salt) ? [{ salt, content, hash: hashOfLeaf(salt, content) }] : [];
