import type { AnsweredCall, CallsAnswered, ChargedCall, CreditsCharged } from '../src/domain/accounts/facts.ts';
import type { Projection } from '../src/domain/projection.ts';

/** Calls of one account that were recorded together, in the order in which they were answered. `credits` absent: 0. */
export interface UsageDocument {
  readonly accountId: number;
  /** When the first of them came in. */
  readonly at: string;
  readonly calls: readonly (AnsweredCall & Partial<Pick<ChargedCall, 'credits'>>)[];
}

/** What was called: a document for each record, by its position. */
export const usage: Projection<UsageDocument> = {
  name: 'usage',
  version: 1,
  types: ['CreditsCharged', 'CallsAnswered'],
  key: ({ position }) => String(position),
  apply(_, untyped) {
    const data = untyped.data as CreditsCharged | CallsAnswered;
    const calls = 'charges' in data ? data.charges : data.calls;
    return { accountId: data.accountId, at: calls[0]!.at, calls };
  },
  onePerRecord: true,
  patient: true,
  fields: {
    account: { kind: 'number', of: ({ accountId }) => accountId },
    at: { kind: 'string', of: ({ at }) => at },
  },
  indexes: [['account', 'at']],
};
