import type { LogRecord } from '../domain/record.ts';
import type { EventLog } from '../log/event-log.ts';

const PAGE = 1000;

/** Every record after a position, in order, page by page, up to the end of the log as it is when reached. */
export async function* recordsAfter(log: EventLog, after: bigint | null): AsyncGenerator<LogRecord> {
  let position = after;
  for (;;) {
    const page = await log.readAll(position, PAGE);
    yield* page;
    if (page.length < PAGE) return;
    position = page.at(-1)!.position;
  }
}
