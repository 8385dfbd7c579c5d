import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { EventLog } from '../port/event-log.ts';

const PAGE = 64;
type Log = Pick<EventLog, 'readStream'>;

/** The records of a stream in pages. Yields to the event loop between two pages. */
export async function* readStreamPages(
  log: Log,
  stream: string,
  from: number = 0,
): AsyncGenerator<readonly LogRecord[]> {
  for (let fromRevision = from; ; ) {
    const page = await log.readStream(stream, { fromRevision, limit: PAGE });
    if (page.length > 0) yield page;
    if (page.length < PAGE) return;
    fromRevision += page.length;
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
