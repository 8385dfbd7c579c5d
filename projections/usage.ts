import { columnsOf } from '../src/domain/accounts/call-columns.ts';
import type { CallsAnswered, CreditsCharged } from '../src/domain/accounts/facts.ts';
import type { Projection } from '../src/domain/projection.ts';

/** Where calls of one account that were recorded together stand in the log. */
export interface UsageDocument {
  readonly accountId: number;
  /** When the first of them came in. */
  readonly at: string;
  readonly stream: string;
  readonly revision: number;
  readonly calls: number;
}

/** What was called: a document for each record, by its position. It tells where to look, for to copy each call of a
 *  busy server would cost as much as to record it. */
export const usage: Projection<UsageDocument> = {
  name: 'usage',
  version: 2,
  types: ['CreditsCharged', 'CallsAnswered'],
  key: ({ position }) => String(position),
  apply(_, { stream, revision, data }) {
    const recorded = data as CreditsCharged | CallsAnswered;
    const { at, after } = columnsOf(recorded);
    return { accountId: recorded.accountId, at, stream, revision, calls: after.length };
  },
  onePerRecord: true,
  patient: true,
  fields: {
    account: { kind: 'number', of: ({ accountId }) => accountId },
    at: { kind: 'string', of: ({ at }) => at },
  },
  indexes: [['account', 'at']],
};
