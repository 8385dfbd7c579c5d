import type { StreamOutcome } from '../../src/ingest/append-each.ts';
import { ConflictError, type EventLog, type StreamAppend } from '../../src/log/event-log.ts';

/** A log that has no transaction across streams: of several appends some may be written, and others be refused. */
export const outcomePerStream = (log: EventLog): EventLog => ({
  ...log,
  async appendAll(appends: readonly StreamAppend[]) {
    const outcomes: StreamOutcome[] = [];
    for (const { stream, events, expected } of appends) {
      try {
        outcomes.push({ ok: true, ...(await log.append(stream, events, expected)) });
      } catch (error) {
        if (!(error instanceof ConflictError)) throw error;
        outcomes.push({ ok: false, conflict: error });
      }
    }
    return outcomes as never;
  },
});
