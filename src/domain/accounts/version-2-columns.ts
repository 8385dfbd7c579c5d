import { formatTime, parseTime } from '../primitives/time.ts';
import type { AnsweredCall, ChargedCall } from './account-event-data.ts';

/**
 * Version 2 of `CreditsCharged` and `CallsAnswered`, and journals of that time, hold calls in columns: index `i` of
 * every column belongs to call `i`. Columns are only read; nothing writes them any more.
 */
interface CallColumns {
  /** When the first call arrived. */
  readonly at: string;
  /** Arrival of each call in milliseconds relative to `at`; may be negative. */
  readonly after: readonly number[];
  readonly keyIds: readonly number[];
  readonly operations: readonly (string | null)[];
  readonly requestIds: readonly string[];
  readonly statuses: readonly number[];
  readonly milliseconds: readonly number[];
  /** Rare members, by index of the call. */
  readonly besides?: Readonly<Record<number, Partial<Pick<ChargedCall, 'budget' | 'chargedAt' | 'bought' | 'capped'>>>>;
}

export interface ChargeColumns extends CallColumns {
  readonly credits: readonly number[];
}

/** The calls of the columns, in order. */
export const callsFromColumns = (columns: CallColumns): readonly AnsweredCall[] =>
  columns.requestIds.map((requestId, index) => ({
    at: formatTime(timeOf(columns.at) + columns.after[index]!),
    keyId: columns.keyIds[index]!,
    operation: columns.operations[index]!,
    requestId,
    status: columns.statuses[index]!,
    milliseconds: columns.milliseconds[index]!,
    ...columns.besides?.[index],
  }));

export const chargesFromColumns = (columns: ChargeColumns): readonly ChargedCall[] =>
  callsFromColumns(columns).map((call, index) => ({ ...call, credits: columns.credits[index]! }));

const timeOf = (at: string): number => parseTime(at) ?? Date.parse(at);
