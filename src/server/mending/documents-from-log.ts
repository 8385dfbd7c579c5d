import { projections } from '../../../projections/index.ts';
import { createFold, type DocumentAtPosition } from '../../domain/event-sourcing/document-fold.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { readPages } from '../../event-log/storage/read-pages.ts';
import { wasRecordedBefore } from '../../event-log/storage/streams-in-order.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { DocumentReader, StoredDocument } from '../../read-models/store/document-reader.ts';

/** Documents folded on request: a folder in which no server ran yet has no read models. */
export function documentsFromLog(
  log: Pick<EventLog, 'readStream'> & { readonly replacements: Pick<EventLog['replacements'], 'current'> },
): Pick<DocumentReader, 'get' | 'getMany'> {
  async function get(name: string, key: string): Promise<StoredDocument<any> | undefined> {
    const projection = projections.find((one) => one.name === name)!;
    const fold = createFold<any>(projection);
    const streams = projection.streams!(key).map((stream) => log.replacements.current(stream));
    const records: LogRecord[] = [];
    for await (const page of readPages(log, streams)) records.push(...page);
    let document: DocumentAtPosition | undefined;
    for (const record of records.sort((a, b) => (wasRecordedBefore(a, b) ? -1 : 1))) {
      if (fold.keyOf(record) === key) document = fold.applyIfNewer(document, record);
      await yieldToEventLoop();
    }
    return document && { key, ...document };
  }
  return {
    get,
    async getMany(name, keys) {
      const found = [];
      for (const key of keys) found.push(await get(name, key));
      return found;
    },
  };
}
