import { balances } from '../../../projections/accounts/balances.ts';
import { IDEMPOTENCY_RETENTION } from '../../api/calls/idempotency/idempotency-store.ts';
import type { CreditsCharged } from '../../domain/accounts/account-event-data.ts';
import { accountStreams, type LedgerRecord } from '../../domain/accounts/account-events.ts';
import { applyLedgerRecord, type Ledger, newLedger } from '../../domain/accounts/credit-ledger.ts';
import { type LastRecordNumbers, registerRecordId } from '../../domain/event-sourcing/record-id.ts';
import { UnavailableError } from '../../domain/primitives/domain-errors.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { realTimer, type SetTimer, withTimeout } from '../../platform/async/timer.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';

const PAGE = 1000;

/**
 * Reads an account's ledger from its start, page by page, since it may be long. Skips repeated records: a writer may
 * append the same record twice.
 */
export async function* readLedgerRecords(
  log: Pick<EventLog, 'readStream'>,
  accountId: number,
): AsyncGenerator<LedgerRecord> {
  const stream = accountStreams.ledger(accountId);
  const written: LastRecordNumbers = [];
  for (let fromRevision = 0; ; ) {
    const records = await log.readStream(stream, { fromRevision, limit: PAGE });
    for (const record of records as readonly LedgerRecord[]) {
      if (registerRecordId(written, record.meta.id)) yield record;
    }
    if (records.length < PAGE) return;
    fromRevision = records.at(-1)!.revision + 1;
  }
}

/** A projected document saves reading some records. This is the longest wait for it, in milliseconds. */
const PROJECTED_LEDGER_TIMEOUT = 1000;

/** Loads the account's current ledger from the log, even while the read store is unavailable. */
export async function loadLedger(
  log: Pick<EventLog, 'readStream'>,
  store: Pick<ReadStore, 'activeGeneration' | 'get'>,
  accountId: number,
  setTimer: SetTimer = realTimer,
): Promise<Ledger> {
  const late = () => new UnavailableError('the read store took too long', 1);
  const stored = withTimeout(setTimer, PROJECTED_LEDGER_TIMEOUT, loadProjectedLedger(store, accountId), late);
  const ledger = await stored.catch((error: unknown) => {
    if (error instanceof UnavailableError) return newLedger();
    throw error;
  });
  const stream = accountStreams.ledger(accountId);
  const records = await log.readStream(stream, { fromRevision: ledger.revision + 1 });
  for (const record of records) applyLedgerRecord(ledger, record as LedgerRecord);
  return ledger;
}

/** The last projected balance. Without one, start with an empty ledger and read all records. */
async function loadProjectedLedger(
  store: Pick<ReadStore, 'activeGeneration' | 'get'>,
  accountId: number,
): Promise<Ledger> {
  const generation = await store.activeGeneration(balances.name);
  if (generation?.replace(/\..*/, '') !== `v${balances.version}`) return newLedger();
  const stored = await store.get<Ledger>(balances.name, String(accountId));
  return stored ? structuredClone(stored.document) : newLedger();
}

/** What a line of a ledger is, in the API's words. */
export type LedgerLineType = (typeof LINE_TYPES)[LedgerRecord['type']];

/** A record holds fewer lines than this. */
const LINES_PER_RECORD = 2 ** 16;

const LINE_TYPES = {
  CreditsCharged: 'charge',
  CreditsGranted: 'grant',
  CreditsToppedUp: 'top_up',
  CreditsExpired: 'expiry',
  CreditsRefunded: 'refund',
  PlanChanged: 'plan_change',
  InvoiceDeclined: 'invoice_declined',
  InvoicePaid: 'invoice_paid',
} as const satisfies Record<LedgerRecord['type'], string>;

/** One change of an account's balance, as people read it. */
export interface LedgerLine {
  /** Grows with time. */
  readonly id: number;
  /** ISO 8601. */
  readonly at: string;
  readonly type: LedgerLineType;
  /** The change of the balance; negative for a charge. */
  readonly credits: number;
  /** Details: the operation of a charge, the name or reason of a grant, the reason of a refund. */
  readonly about: string | null;
  readonly requestId: string | null;
  /** The key of a charge or purchase; null: a session, or none. */
  readonly keyId: number | null;
}

/** All lines of an account's ledger, oldest first, page by page. */
export async function* readLedgerLines(
  log: Pick<EventLog, 'readStream'>,
  accountId: number,
): AsyncGenerator<LedgerLine> {
  for await (const record of readLedgerRecords(log, accountId)) yield* linesOf(record).toReversed();
}

/** How many records later than a page are looked at for repeats of those in the page: a writer repeats at once. */
const REPEATED_WITHIN = 100;

/**
 * Reads lines of an account's ledger, newest first, at most `limit`. The number of records read does not grow with the
 * length of the ledger.
 * @param before only lines with smaller ids
 */
export async function readNewestLedgerLines(
  { log }: { readonly log: Pick<EventLog, 'readStream'> },
  accountId: number,
  limit: number,
  before = Number.POSITIVE_INFINITY,
): Promise<readonly LedgerLine[]> {
  const stream = accountStreams.ledger(accountId);
  const lines: LedgerLine[] = [];
  // A record that was appended twice counts once: the later one.
  const seen = new Set<string>();
  let fromRevision = Number.isFinite(before) ? Math.floor(before / LINES_PER_RECORD) : undefined;
  if (fromRevision !== undefined) {
    if (fromRevision < 0) return [];
    const later = await log.readStream(stream, { fromRevision: fromRevision + 1, limit: REPEATED_WITHIN });
    for (const { meta } of later) if (meta.id !== undefined) seen.add(meta.id);
  }
  while (lines.length < limit) {
    const from = fromRevision === undefined ? {} : { fromRevision };
    const records = await log.readStream(stream, { direction: 'backwards', limit, ...from });
    for (const record of records as readonly LedgerRecord[]) {
      const { id } = record.meta;
      if (id !== undefined && seen.has(id)) continue;
      if (id !== undefined) seen.add(id);
      lines.push(...linesOf(record).filter((line) => line.id < before));
    }
    const { revision } = records.at(-1) ?? { revision: 0 };
    if (revision === 0) break;
    fromRevision = revision - 1;
  }
  return lines.slice(0, limit);
}

/** Newest first. */
const linesOf = (record: LedgerRecord): readonly LedgerLine[] =>
  withoutIds(record).map((line, index, all) => ({
    id: record.revision * LINES_PER_RECORD + all.length - 1 - index,
    ...line,
  }));

function withoutIds(record: LedgerRecord): readonly Omit<LedgerLine, 'id'>[] {
  const type = LINE_TYPES[record.type];
  const line = { requestId: null, keyId: null };
  switch (record.type) {
    case 'CreditsCharged':
      return record.data.charges
        .map(({ at, chargedAt, credits, operation, requestId, keyId }) => ({
          at: chargedAt ?? at,
          type,
          credits: -credits,
          about: operation,
          requestId,
          keyId,
        }))
        .reverse();
    case 'CreditsGranted':
      return [
        {
          ...line,
          at: record.data.at,
          type,
          credits: record.data.credits,
          about: record.data.reason ?? record.data.grant,
        },
      ];
    case 'CreditsToppedUp': {
      const { at, credits, packId, requestId = null, keyId = null } = record.data;
      return [{ at, type, credits, about: `pack ${packId}`, requestId, keyId }];
    }
    case 'CreditsExpired':
      return [{ ...line, at: record.data.at, type, credits: -record.data.credits, about: record.data.grant }];
    case 'CreditsRefunded':
      return [
        {
          ...line,
          at: record.data.at,
          type,
          credits: record.data.credits,
          about: record.data.reason,
          requestId: record.data.requestId,
        },
      ];
    case 'PlanChanged':
      return [{ ...line, at: record.data.at, type, credits: 0, about: record.data.plan }];
    case 'InvoiceDeclined':
    case 'InvoicePaid':
      return [{ ...line, at: record.data.at, type, credits: 0, about: record.data.invoice }];
  }
}

/** Records per read. The charge is usually among the newest. */
const BACKWARD_PAGE = 200;

/**
 * Whether the account's ledger has a charge for this run. Searches as far back as runs are remembered.
 * @param now milliseconds
 */
export async function hasChargeForRun(
  log: Pick<EventLog, 'readStream'>,
  accountId: number,
  runId: string,
  now: number,
): Promise<boolean> {
  const stream = accountStreams.ledger(accountId);
  for (let from: { fromRevision?: number } = {}; ; ) {
    const page = await log.readStream(stream, { direction: 'backwards', limit: BACKWARD_PAGE, ...from });
    for (const { type, data } of page) {
      if (type === 'CreditsCharged' && (data as CreditsCharged).charges.some((charge) => charge.run === runId))
        return true;
    }
    const last = page.at(-1);
    if (!last || last.revision === 0 || Date.parse(last.recordedAt) < now - IDEMPOTENCY_RETENTION) return false;
    from = { fromRevision: last.revision - 1 };
  }
}
