import { type AppendResult, ConflictError, type EventLog, type StreamAppend } from '../log/event-log.ts';

/** What became of one stream's append: it is on disk, or nothing of it is. */
export type StreamOutcome =
  | ({ readonly ok: true } & AppendResult)
  | { readonly ok: false; readonly conflict: ConflictError };

/**
 * Appends to many streams. A log that tells an outcome for each is taken at its word. One that refuses all of them
 * for the conflict of one has refused each: all are loaded and decided again.
 */
export async function appendEach(log: EventLog, appends: readonly StreamAppend[]): Promise<readonly StreamOutcome[]> {
  try {
    const results: readonly (AppendResult | StreamOutcome)[] = await log.appendAll(appends);
    return results.map((result) => ('ok' in result ? result : { ok: true, ...result }));
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    return appends.map(() => ({ ok: false, conflict: error }));
  }
}
