import type { Position } from '../../domain/position.ts';
import type { LogRecord } from '../../domain/record.ts';
import type { EventLog } from '../../event-log/event-log.ts';

/** Every record after a position, in order, up to the end of the log as it is when reached. */
export async function* recordsAfter(log: EventLog, after: Position | null): AsyncGenerator<LogRecord> {
  for await (const page of log.readAllFrom(after)) yield* page;
}
