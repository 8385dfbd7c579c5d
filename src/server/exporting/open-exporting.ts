import type { OperationContext } from '../../api/calls/operation/operation.ts';
import { ANONYMOUS_PRINCIPAL } from '../../api/calls/principal.ts';
import type { ExportName } from '../../api/exports/run-export.ts';
import { type Position, toPosition } from '../../domain/event-sourcing/position.ts';
import { formatTime } from '../../domain/primitives/time.ts';
import type { DomainRecord } from '../../domain/streams/domain-events.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { logUntil } from '../../event-log/port/log-until.ts';
import { readReplacements } from '../../event-log/subscription/follow-replacements.ts';
import { createMarketQualities } from '../../forecasting/facts/market-qualities.ts';
import { createPriceFolds } from '../../forecasting/facts/price-folds.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import { createDocumentHistory, type DocumentHistory } from '../../read-models/as-of/document-history.ts';
import { createChangeFeed } from '../../read-models/change-feed/change-feed.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { Environment } from '../composition/environment.ts';
import { readBookmakers } from '../composition/open-reference-weights.ts';
import type { ReadPorts } from '../composition/ports.ts';
import { type ExportForecasts, openExportForecasts } from './export-forecasts.ts';
import { openExportReadModels } from './export-read-models.ts';

/** The memory of records and folds that are used again: an export goes through the log once. */
const HISTORY_BYTES = 32 * 1024 * 1024;
const PRICE_FOLD_BYTES = 4 * 1024 * 1024;
const RECORDS_PER_READ = 256;
const CHANGE_BYTES = 4 * 1024 * 1024;

/** Everything that an export reads, as of one end of the log. */
export interface Exporting {
  readonly context: OperationContext;
  readonly asOf: AsOf;
  /** Null: the log is empty. */
  readonly end: Position | null;
  readonly allocated: number;
  /** The log up to its end; undefined: it is empty. */
  readonly log: EventLog | undefined;
  close(): Promise<void>;
}

interface Parts extends Pick<Environment, 'steadyNow' | 'pace' | 'now'> {
  readonly ports: Pick<ReadPorts, 'log' | 'store' | 'identities'>;
  readonly config: Pick<Config, 'bookmakers' | 'referenceWeights' | 'learnsReferenceWeights'>;
  readonly what: ExportName;
  /** The moment that was asked for, in milliseconds; undefined: that of the last record. */
  readonly at: number | undefined;
  readonly basis: AsOf['basis'];
  readonly openScratch?: ((folder: string) => ReadStore) | undefined;
  /** What comes before the rows: records that are still to be folded. */
  readonly onFolding: (records: number) => void;
}

/** Opens the operations on the log as it is now: all that they answer follows from its records up to here. */
export async function openExporting(parts: Parts): Promise<Exporting> {
  const { ports, config, what, at, basis, steadyNow, now } = parts;
  const { log, identities } = ports;
  const allocated = await identities.countAllocated('event');
  const end = await endOf(log, basis === 'recorded' ? at : undefined);
  const last = end === null ? undefined : await log.recordAt(end);
  const moment = at ?? (last ? Date.parse(last.recordedAt) : 0);
  const none = {
    asOf: { at: moment, basis },
    end: null,
    allocated: 0,
    log: undefined,
    context: {} as OperationContext,
  };
  if (end === null) return { ...none, close: async () => {} };
  const known = logUntil(log, end);
  await readReplacements(known);
  const { bookmakers } = await readBookmakers(known, config);
  const readModels = await openExportReadModels({
    ...{ what, log: known, end, store: ports.store, openScratch: parts.openScratch, now },
    onProgress: parts.onFolding,
  });
  const { store } = readModels;
  let learned: ExportForecasts | undefined;
  const close = async () => {
    await learned?.close();
    await readModels.close();
  };
  try {
    if (what === 'forecasts') {
      learned = await openExportForecasts({
        ...{ log: known, store, end, moment, weightOf: bookmakers.sharpWeight, pace: parts.pace },
      });
    }
    const histories = historyOf(known);
    const context: OperationContext = {
      store,
      histories,
      prices: createPriceFolds(histories, PRICE_FOLD_BYTES),
      marketQualities: createMarketQualities({ log: known }),
      replacements: known.replacements,
      identities,
      forecasts: learned?.forecasts ?? notOpened('forecasts'),
      record: learned?.record ?? notOpened('record'),
      changes: createChangeFeed({ log: known, store, steadyNow, breathe: yieldToEventLoop, maxBytes: CHANGE_BYTES }),
      bookmakers,
      principal: ANONYMOUS_PRINCIPAL,
      call: { requestId: 'export' },
      now: () => moment,
      latestUpdatedAt: () => moment,
      accounts: notOpened('accounts'),
      links: notOpened('links'),
      bets: notOpened('bets'),
      myBooks: notOpened('myBooks'),
      webhooks: notOpened('webhooks'),
      trials: notOpened('trials'),
      receipts: notOpened('receipts'),
      experiments: notOpened('experiments'),
      health: notOpened('health'),
      isSimulated: notOpened('isSimulated'),
      baseUrl: notOpened('baseUrl'),
    };
    return { context, asOf: { at: moment, basis }, end, allocated, log: known, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Prices are read once, so that their records are not kept: they would outlive the garbage of their rows. */
const historyOf = (log: EventLog): DocumentHistory => ({
  ...createDocumentHistory(log, { maxBytes: HISTORY_BYTES }),
  recordsFrom: async (stream, fromRevision) =>
    (await log.readStream(stream, { fromRevision, limit: RECORDS_PER_READ })) as readonly DomainRecord[],
});

/** The last record of the log that was recorded by a moment (milliseconds), or of all. */
async function endOf(log: EventLog, recordedBy: number | undefined): Promise<Position | null> {
  if (recordedBy === undefined) return log.head();
  await log.waitUntilFinal?.(recordedBy);
  // Nothing later was recorded before what follows this moment.
  for await (const [first] of log.readSince(formatTime(recordedBy + 1), { batch: 1 })) {
    const [before] = await log.readBackwards(1, toPosition(first!.position));
    return before?.position ?? null;
  }
  return log.head();
}

/** A part of the context that no exported operation reads. */
const notOpened = (name: string): any =>
  new Proxy(() => {}, {
    get: () => notOpened(name),
    apply() {
      throw new Error(`an export has no ${name}`);
    },
  });
