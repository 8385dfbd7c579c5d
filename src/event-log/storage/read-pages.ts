import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { EventLog } from '../port/event-log.ts';

/** Records of a page: of the first one, and of the others at most. */
const FIRST_PAGE = 16;
const PAGE = 64;
/** Bytes of content that a page should have at most. The records of a stream are of about one size. */
const PAGE_BYTES = 64 * 1024;
type Log = Pick<EventLog, 'readStream'>;

/** The records of a stream in pages, smaller ones of large records. Yields to the event loop between two pages. */
export async function* readStreamPages(
  log: Log,
  stream: string,
  from: number = 0,
): AsyncGenerator<readonly LogRecord[]> {
  for (let [fromRevision, limit] = [from, FIRST_PAGE]; ; ) {
    const page = await log.readStream(stream, { fromRevision, limit });
    if (page.length > 0) yield page;
    if (page.length < limit) return;
    fromRevision += page.length;
    limit = Math.max(1, Math.min(PAGE, Math.floor(PAGE_BYTES / JSON.stringify(page.at(-1)!.data).length)));
    await yieldToEventLoop();
  }
}

/** All records of some streams, one stream after another, in pages. */
export async function* readPages(log: Log, streams: readonly string[]): AsyncGenerator<readonly LogRecord[]> {
  for (const stream of streams) {
    yield* readStreamPages(log, stream);
    await yieldToEventLoop();
  }
}
