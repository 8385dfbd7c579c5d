import {
  type CallsAnswered,
  type CreditsCharged,
  callsInRecord,
} from '../../src/domain/accounts/account-event-data.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';

/** What each of some calls was, at the place of the call; not a list: all of them were the same. */
type Column<T extends string | number | null> = T | readonly T[];

/** Calls of one account that were recorded together, in columns. */
export interface UsageDocument {
  readonly account: number;
  /** When the last of them came in: milliseconds since 1970. */
  readonly last: number;
  /** How long before that each came in, in milliseconds. */
  readonly before: Column<number>;
  /** Null: of a session. */
  readonly keys: Column<number | null>;
  /** Null: it fitted none. */
  readonly operations: Column<string | null>;
  readonly statuses: Column<number>;
  readonly credits: Column<number>;
  /** From its coming in to its answer. */
  readonly milliseconds: Column<number>;
  readonly requests: readonly string[];
  /** The record's name: two documents of one name are of a record that its writer has appended twice. */
  readonly record?: string;
}

/** What stands at this place of a column. */
export const columnValue = <T extends string | number | null>(column: Column<T>, place: number): T =>
  Array.isArray(column) ? (column as readonly T[])[place]! : (column as T);

/**
 * What was called: a document for each record, which holds the calls themselves. They stand in columns, and a column
 * whose values are all the same is that value: so a call of a busy server takes little more than its request's id.
 * A document's key is the record's position, so that documents of one moment have an order.
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
