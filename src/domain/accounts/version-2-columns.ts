import { formatTime, parseTime } from '../primitives/time.ts';
import type { AnsweredCall, ChargedCall } from './account-event-data.ts';

/**
 * Calls as version 2 of `CreditsCharged` and `CallsAnswered` told of them: in columns, where what each call was stands
 * at the same place in every column. Journals of that time hold them too. Nothing writes columns any more.
 */
interface CallColumns {
  /** When the first of them came in. */
  readonly at: string;
  /** When each came in, in milliseconds after `at`; negative: before it. */
  readonly after: readonly number[];
  readonly keyIds: readonly number[];
  readonly operations: readonly (string | null)[];
  readonly requestIds: readonly string[];
  readonly statuses: readonly number[];
  readonly milliseconds: readonly number[];
  /** What few calls have, by their place. */
  readonly besides?: Readonly<Record<number, Partial<Pick<ChargedCall, 'budget' | 'chargedAt' | 'bought' | 'capped'>>>>;
}

export interface ChargeColumns extends CallColumns {
  readonly credits: readonly number[];
}

/** The calls that stand in these columns, in their order. */
export const callsFromColumns = (columns: CallColumns): readonly AnsweredCall[] =>
  columns.requestIds.map((requestId, place) => ({
    at: formatTime(timeOf(columns.at) + columns.after[place]!),
    keyId: columns.keyIds[place]!,
    operation: columns.operations[place]!,
    requestId,
    status: columns.statuses[place]!,
    milliseconds: columns.milliseconds[place]!,
    ...columns.besides?.[place],
  }));

export const chargesFromColumns = (columns: ChargeColumns): readonly ChargedCall[] =>
  callsFromColumns(columns).map((call, place) => ({ ...call, credits: columns.credits[place]! }));

const timeOf = (at: string): number => parseTime(at) ?? Date.parse(at);
