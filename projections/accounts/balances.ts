import { accountStreams, LEDGER_TYPES, type LedgerRecord } from '../../src/domain/accounts/account-events.ts';
import { applyLedgerRecord, type Ledger, newLedger } from '../../src/domain/accounts/credit-ledger.ts';
import type { Projection } from '../../src/domain/event-sourcing/projection.ts';

/** The credits of one account: its ledger. */
export const balances: Projection<Ledger> = {
  name: 'balances',
  version: 4,
  types: LEDGER_TYPES,
  key: ({ data }) => String(data.accountId),
  apply: (document, record) => applyLedgerRecord(document ?? newLedger(), record as LedgerRecord),
  toleratesDelay: true,
  fields: {},
  indexes: [],
  streams: (key) => [accountStreams.ledger(key)],
};
