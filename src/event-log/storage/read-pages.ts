import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import type { EventLog } from '../port/event-log.ts';

const PAGE = 256;

/** All records of some streams, one stream after another, in pages. */
export async function* readPages(
  log: Pick<EventLog, 'readStream'>,
  streams: readonly string[],
): AsyncGenerator<readonly LogRecord[]> {
  for (const stream of streams) {
    for (let fromRevision = 0; ; ) {
      const page = await log.readStream(stream, { fromRevision, limit: PAGE });
      if (page.length > 0) yield page;
      await yieldToEventLoop();
      if (page.length < PAGE) break;
      fromRevision += page.length;
    }
  }
}
