import { type CallsAnswered, type CreditsCharged, callsOf } from '../src/domain/accounts/facts.ts';
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

/** What was called: a document for each record. A document tells where in the log the calls stand, and copies none: a
 *  copy of each call of a busy server would cost as much as its record. */
export const usage: Projection<UsageDocument> = {
  name: 'usage',
  version: 3,
  types: ['CreditsCharged', 'CallsAnswered'],
  key: ({ stream, revision }) => `${stream}@${revision}`,
  apply(_, { stream, revision, data }) {
    const recorded = data as CreditsCharged | CallsAnswered;
    const calls = callsOf(recorded);
    return { accountId: recorded.accountId, at: calls[0]!.at, stream, revision, calls: calls.length };
  },
  onePerRecord: true,
  patient: true,
  fields: {
    account: { kind: 'number', of: ({ accountId }) => accountId },
    at: { kind: 'string', of: ({ at }) => at },
  },
  indexes: [['account', 'at']],
};
