import { type AppendResult, ConflictError, type EventLog, type StreamAppend } from '../log/event-log.ts';

/** What became of one stream's append: it is on disk, or nothing of it is. */
export type StreamOutcome =
  | ({ readonly ok: true } & AppendResult)
  | { readonly ok: false; readonly conflict: ConflictError };

/**
 * Appends to many streams. While the log refuses all of them for the conflict of one, each of them counts as refused:
 * all are loaded and decided again.
 */
export async function appendEach(log: EventLog, appends: readonly StreamAppend[]): Promise<readonly StreamOutcome[]> {
  try {
    const results = await log.appendAll(appends);
    return results.map((result) => ({ ok: true, ...result }));
  } catch (error) {
    if (!(error instanceof ConflictError)) throw error;
    return appends.map(() => ({ ok: false, conflict: error }));
  }
}
