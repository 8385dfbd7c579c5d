import type { LogRecord } from '../src/domain/event-sourcing/record.ts';

/** What was decided, as a record of a stream: for benchmarks that fold without a log. */
export const recordOf = <Event extends object>(event: Event, revision: number): Event & LogRecord =>
  ({ ...event, stream: 'odds-1', revision, position: 0n, recordedAt: '' }) as unknown as Event & LogRecord;
