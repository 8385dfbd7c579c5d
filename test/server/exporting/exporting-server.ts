import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { ApiError } from '../../../src/api/calls/api-errors.ts';
import { formatsOf } from '../../../src/api/calls/operation/answer-format.ts';
import type { OperationContext } from '../../../src/api/calls/operation/operation.ts';
import { type ExportName, type ExportOptions, runExport } from '../../../src/api/exports/run-export.ts';
import { operations } from '../../../src/api/operations/index.ts';
import { BOOKMAKERS, SHARP_BOOK_WEIGHTS } from '../../../src/domain/catalogue/catalogue.ts';
import { createMarketQualities } from '../../../src/forecasting/facts/market-qualities.ts';
import { createPriceFolds } from '../../../src/forecasting/facts/price-folds.ts';
import { NEVER_PUBLISHED } from '../../../src/intelligence/evaluation/publication-rule.ts';
import type { AsOf } from '../../../src/read-models/as-of/as-of.ts';
import { createDocumentHistory } from '../../../src/read-models/as-of/document-history.ts';
import { createChangeFeed } from '../../../src/read-models/change-feed/change-feed.ts';
import { createBookmakers } from '../../../src/read-models/rendering/bookmakers.ts';
import { openScratchStore } from '../../../src/server/embedded/embedded-stores.ts';
import { openExporting } from '../../../src/server/exporting/open-exporting.ts';
import { composed } from '../../support/composed.ts';
import type { Message } from '../../system/properties/small-server.ts';
import type { Row } from './exported-tables.ts';

const MINUTE = 60_000;

export interface Exported extends Partial<Pick<ExportOptions, 'format' | 'filter'>> {
  readonly asOf?: AsOf | undefined;
}

/** A server in memory, and exports of it as the command makes them. */
export async function exportingServer(time: number) {
  const server = await composed({ time });
  const { clock, core, ports } = server;
  await core.runner.start();
  core.forecasts.start();
  const histories = createDocumentHistory(ports.log);
  const now = () => clock.time;
  const context: OperationContext = {
    store: ports.store,
    histories,
    prices: createPriceFolds(histories),
    marketQualities: createMarketQualities({ log: ports.log }),
    replacements: ports.log.replacements,
    identities: ports.identities,
    forecasts: core.forecasts,
    bookmakers: createBookmakers(BOOKMAKERS, SHARP_BOOK_WEIGHTS),
    now,
    latestUpdatedAt: now,
    isSimulated: () => false,
    principal: { keyId: 1, accountId: 1, plan: 'free', scopes: ['all'], unlimited: true },
    call: { requestId: 'test' },
    accounts: undefined as never,
    receipts: undefined as never,
    experiments: undefined as never,
    changes: createChangeFeed({ log: ports.log, store: ports.store, steadyNow: () => 0 }),
    record: {
      rows: async () => [],
      months: async () => [],
      publicationsOf: () => NEVER_PUBLISHED,
      blendTurnsOf: () => null,
      countedBlendTurnsOf: async () => null,
      onPublications: () => () => {},
      reliabilityOf: () => 'emerging',
    },
    baseUrl: () => '',
    links: undefined as never,
    bets: undefined as never,
    myBooks: undefined as never,
    webhooks: undefined as never,
    trials: undefined as never,
    health: () => Promise.reject(new Error('not asked')),
  };
  const folders: string[] = [];

  return {
    clock,
    ports,
    /** Takes batches in, a minute apart. */
    async feed(...batches: readonly (readonly Message[])[]): Promise<void> {
      for (const batch of batches) {
        clock.time += MINUTE;
        await core.intake.accept(batch.map((value, index) => ({ line: index + 1, value })));
      }
      await core.projected();
    },
    /** The rows of an operation's CSV; none where there is nothing to tell. */
    async csv(name: string, input: Message): Promise<Row[]> {
      const operation = operations.find((one) => one.name === name)!;
      const { path, query, body } = operation.input;
      const parsed = Object.assign({}, ...[path, query, body].map((schema) => schema?.parse(input) ?? {}));
      try {
        const text = await formatsOf(operation)
          .get('csv')!
          .write(await operation.run(parsed, context), context);
        return parse(text, { columns: true, record_delimiter: '\r\n' });
      } catch (error) {
        if (error instanceof ApiError && error.code === 'not_found') return [];
        throw error;
      }
    },
    /** @returns the folder of the table */
    async export(what: ExportName, { format = 'parquet', filter = {}, asOf }: Exported = {}): Promise<string> {
      const out = mkdtempSync(join(tmpdir(), 'll-export-'));
      folders.push(out);
      const exporting = await openExporting({
        ...server.environment,
        pace: { now: () => performance.now(), setTimer: server.environment.setTimer },
        ports,
        config: { bookmakers: BOOKMAKERS, referenceWeights: SHARP_BOOK_WEIGHTS, learnsReferenceWeights: false },
        what,
        at: asOf?.at,
        basis: asOf?.basis ?? 'recorded',
        openScratch: openScratchStore,
        onFolding: () => {},
      });
      try {
        const options = { what, out, format, filter, ...exporting, isPast: asOf !== undefined };
        await runExport(exporting.context, options, () => {});
      } finally {
        await exporting.close();
      }
      return join(out, what);
    },
    async close() {
      for (const folder of folders) rmSync(folder, { recursive: true, force: true });
      await server.close();
    },
  };
}
export type ExportingServer = Awaited<ReturnType<typeof exportingServer>>;
