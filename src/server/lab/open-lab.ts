import type { OperationContext } from '../../api/calls/operation/operation.ts';
import { operations } from '../../api/operations/index.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { AsOf } from '../../read-models/as-of/as-of.ts';
import type { DocumentReader } from '../../read-models/store/document-reader.ts';
import type { ReadStore } from '../../read-models/store/read-store.ts';
import type { Environment } from '../composition/environment.ts';
import type { ReadPorts } from '../composition/ports.ts';
import { type ExportForecasts, openExportForecasts } from '../exporting/export-forecasts.ts';
import { type ExportReadModels, openExportReadModels } from '../exporting/export-read-models.ts';
import { openExporting } from '../exporting/open-exporting.ts';
import { type AnswerAsk, createLabAsks } from './lab-asks.ts';

/** An answer needs what is learned from the log. */
class ForecastsNeeded extends Error {}

/** A log up to a position, and the operations on it. */
export interface OpenLab {
  readonly log: EventLog;
  readonly context: OperationContext;
  readonly answer: AnswerAsk;
  /** Everything that the log holds. */
  readonly end: AsOf;
  /** The position of its last record. */
  readonly position: string;
  close(): Promise<void>;
}

interface Parts extends Pick<Environment, 'steadyNow' | 'pace' | 'now'> {
  readonly ports: Pick<ReadPorts, 'log' | 'store' | 'identities'>;
  readonly config: Pick<Config, 'bookmakers' | 'referenceWeights' | 'learnsReferenceWeights'>;
  readonly openScratch?: ((folder: string) => ReadStore) | undefined;
  /** Records of read models that are still to be folded. */
  readonly onFolding: (records: number) => void;
}

/**
 * Opens the log as it is now. Read models and forecasts are opened when something is asked that needs them: most
 * programs need neither.
 * @returns undefined for a log without a record
 */
export async function openLab(parts: Parts): Promise<OpenLab | undefined> {
  const exporting = await openExporting({ ...parts, what: 'events', at: undefined, basis: 'observed' });
  const { context, asOf: end, end: head, log } = exporting;
  if (head === null || !log) return undefined;
  let opening: Promise<ExportReadModels> | undefined;
  let learning: Promise<ExportForecasts> | undefined;
  const readModels = () => {
    opening ??= openExportReadModels({
      ...{ what: 'lab', log, end: head, store: parts.ports.store, openScratch: parts.openScratch, now: parts.now },
      onProgress: parts.onFolding,
    });
    return opening;
  };
  const forecasts = async () => {
    const { store } = await readModels();
    const { sharpWeight: weightOf } = context.bookmakers;
    learning ??= openExportForecasts({ log, store, end: head, moment: end.at, weightOf, pace: parts.pace });
    return learning;
  };
  const needed = () => {
    throw new ForecastsNeeded();
  };
  const own: OperationContext = {
    ...context,
    store: openedWhenRead(async () => (await readModels()).store),
    forecasts: { forecastsOf: needed, leagueForecasts: needed },
    record: new Proxy({} as OperationContext['record'], { get: () => needed }),
  };
  const plain = createLabAsks(operations, own);
  const answer: AnswerAsk = async (path, now) => {
    try {
      return await plain(path, now);
    } catch (error) {
      if (!(error instanceof ForecastsNeeded)) throw error;
      const { forecasts: reader, record } = await forecasts();
      return createLabAsks(operations, { ...own, forecasts: reader, record })(path, now);
    }
  };
  return { log, context: own, answer, end, position: String(head), close };

  async function close(): Promise<void> {
    await (await learning?.catch(() => undefined))?.close();
    await (await opening?.catch(() => undefined))?.close();
    await exporting.close();
  }
}

const openedWhenRead = (open: () => Promise<DocumentReader>): DocumentReader => ({
  get: async (...asked) => (await open()).get(...asked),
  getMany: async (...asked) => (await open()).getMany(...asked),
  getAcross: async (...asked) => (await open()).getAcross(...asked),
  getDerived: async (...asked) => (await open()).getDerived(...asked),
  find: async (...asked) => (await open()).find(...asked),
  findEach: async (...asked) => (await open()).findEach(...asked),
});
