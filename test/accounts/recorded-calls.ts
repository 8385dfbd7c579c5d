import type {
  AnsweredCall,
  CallsAnswered,
  ChargedCall,
  CreditsCharged,
} from '../../src/domain/accounts/account-event-data.ts';
import type { NewRecord } from '../../src/domain/event-sourcing/record.ts';

/** The charges of an account's ledger, in their order. */
export const chargesIn = (records: readonly NewRecord[]): readonly ChargedCall[] =>
  records.flatMap(({ type, data }) => (type === 'CreditsCharged' ? (data as CreditsCharged).charges : []));

/** The calls of an account that cost nothing, in their order. */
export const freeCallsIn = (records: readonly NewRecord[]): readonly AnsweredCall[] =>
  records.flatMap(({ type, data }) => (type === 'CallsAnswered' ? (data as CallsAnswered).calls : []));
