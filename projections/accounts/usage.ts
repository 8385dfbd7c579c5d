import {
  type CallsAnswered,
  type CreditsCharged,
  callsInRecord,
} from '../../src/domain/accounts/account-event-data.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';

/** One value per call, by index; or a single value if all calls have the same. */
type Column<T extends string | number | null> = T | readonly T[];

/** The calls of one record of an account, in columns. */
export interface UsageDocument {
  readonly account: number;
  /** Arrival of the last call: milliseconds since 1970. */
  readonly last: number;
  /** Milliseconds from the arrival of each call to that of the last one. */
  readonly before: Column<number>;
  /** Null: a call of a session. */
  readonly keys: Column<number | null>;
  /** Null: no operation matched. */
  readonly operations: Column<string | null>;
  readonly statuses: Column<number>;
  readonly credits: Column<number>;
  /** From arrival to answer. */
  readonly milliseconds: Column<number>;
  readonly requests: readonly string[];
  /** The id of the record: two documents with the same id are from a record that its writer appended twice. */
  readonly record?: string;
}

/** The value of a column for call `index`. */
export const columnValue = <T extends string | number | null>(column: Column<T>, index: number): T =>
  Array.isArray(column) ? (column as readonly T[])[index]! : (column as T);

/**
 * The calls themselves: one document per record, in columns. A column with equal values is stored as one value, so that
 * a call takes little more space than its request id. The key is the position of the record, so that documents of the
 * same moment have an order.
 */
export const usage: Projection<UsageDocument> = {
  name: 'usage',
  version: 4,
  types: ['CreditsCharged', 'CallsAnswered'],
  key: ({ position }) => String(position),
  apply(_, { data, meta }) {
    const recorded = data as CreditsCharged | CallsAnswered;
    const calls = callsInRecord(recorded);
    const times = calls.map(({ at }) => Date.parse(at));
    const last = times.reduce((latest, time) => Math.max(latest, time));
    return {
      account: recorded.accountId,
      last,
      before: packColumn(times.map((time) => last - time)),
      keys: packColumn(calls.map(({ keyId }) => keyId || null)),
      operations: packColumn(calls.map(({ operation }) => operation)),
      statuses: packColumn(calls.map(({ status }) => status)),
      credits: packColumn(calls.map((call) => ('credits' in call ? call.credits : 0))),
      milliseconds: packColumn(calls.map(({ milliseconds }) => milliseconds)),
      requests: calls.map(({ requestId }) => requestId),
      ...(meta.id === undefined ? {} : { record: meta.id }),
    };
  },
  hasDocumentPerRecord: true,
  toleratesDelay: true,
  fields: {
    account: { kind: 'number', of: ({ account }) => account },
    last: { kind: 'number', of: ({ last }) => last },
  },
  indexes: [['account', 'last']],
};

function packColumn<T extends string | number | null>(values: readonly T[]): Column<T> {
  const [first] = values;
  return values.every((value) => value === first) ? first! : values;
}
