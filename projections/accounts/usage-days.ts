import {
  type CallsAnswered,
  type CreditsCharged,
  callsInRecord,
} from '../../src/domain/accounts/account-event-data.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';
import { type LastRecordNumbers, registerRecordId } from '../../src/domain/event-sourcing/record-id.ts';

/** Errors are calls answered with 4xx or 5xx. */
export type CallCounts = [calls: number, errors: number, credits: number];

interface CountedDay {
  all: CallCounts;
  /** By name; '' is for calls without a matching operation. */
  operations: Record<string, CallCounts>;
  /** By id; 0 is for calls of a session. Null: more than `MAX_KEYS_PER_DAY` keys, which only `usage` distinguishes. */
  keys: Record<string, CallCounts> | null;
}

/** The totals of the records of one account whose first calls arrived on one UTC day. */
export interface UsageDayDocument {
  /** By date. Some calls of such a record may have arrived on the day before or after. */
  dates: Record<string, CountedDay>;
  /** Detects records that a writer appended twice; each stream of the account has its own numbers. */
  written: { CreditsCharged: LastRecordNumbers; CallsAnswered: LastRecordNumbers };
}

/**
 * Limit of keys counted separately on a day. An account has few keys at a time, but could create and revoke them all
 * day, and the document is written again for each record. Operations need no limit: the server defines them.
 */
export const MAX_KEYS_PER_DAY = 500;

export const usageDayKey = (accountId: number, date: string): string => `${accountId}:${date}`;

/** Numbers of calls: one document per account and UTC day of a record's first call. */
export const usageDays: Projection<UsageDayDocument> = {
  name: 'usage-days',
  version: 1,
  types: ['CreditsCharged', 'CallsAnswered'],
  key({ data }) {
    const recorded = data as CreditsCharged | CallsAnswered;
    return usageDayKey(recorded.accountId, dateOf(callsInRecord(recorded)[0]!.at));
  },
  apply(document, { type, data, meta }) {
    const next = document ?? { dates: {}, written: { CreditsCharged: [], CallsAnswered: [] } };
    // Skip a record that its writer appended twice.
    if (!registerRecordId(next.written[type as keyof UsageDayDocument['written']], meta.id)) return next;
    for (const call of callsInRecord(data as CreditsCharged | CallsAnswered)) {
      const counts: CallCounts = [1, call.status >= 400 ? 1 : 0, 'credits' in call ? call.credits : 0];
      count(dayOf(next, dateOf(call.at)), call.operation ?? '', call.keyId || 0, counts);
    }
    return next;
  },
  toleratesDelay: true,
  fields: {},
  indexes: [],
};

function dayOf({ dates }: UsageDayDocument, date: string): CountedDay {
  dates[date] ??= { all: [0, 0, 0], operations: {}, keys: {} };
  return dates[date];
}

function count(day: CountedDay, operation: string, keyId: number, counts: CallCounts): void {
  addCounts(day.all, counts);
  day.operations[operation] ??= [0, 0, 0];
  addCounts(day.operations[operation], counts);
  if (day.keys === null) return;
  if (!(keyId in day.keys) && Object.keys(day.keys).length === MAX_KEYS_PER_DAY) {
    day.keys = null;
    return;
  }
  day.keys[keyId] ??= [0, 0, 0];
  addCounts(day.keys[keyId], counts);
}

/** Adds to the first argument in place. */
export function addCounts(to: CallCounts, [calls, errors, credits]: CallCounts): void {
  to[0] += calls;
  to[1] += errors;
  to[2] += credits;
}

/** The UTC date of an ISO 8601 time with a Z. */
const dateOf = (at: string): string => at.slice(0, 10);
