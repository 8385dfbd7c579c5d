import { UnavailableError } from '../../domain/primitives/domain-errors.ts';

/** EventStoreDB refuses, hangs or answers with errors. Whether an append took effect may be unknown. */
export class EventLogUnavailable extends UnavailableError {
  readonly engine = 'event-log';
  constructor(what: string, why: string) {
    super(`event-log: ${what}: ${why}`, 1);
    this.name = 'EventLogUnavailable';
  }
}

/** Errors that are the engine's answer to the request itself. The engine works; asking again would not help. */
const ENGINE_ANSWERS = new Set([
  'wrong-expected-version',
  'stream-not-found',
  'stream-deleted',
  'maximum-append-size-exceeded',
  'invalid-argument',
]);

/** The kind of an error, in the words of the EventStoreDB client. */
export const errorTypeOf = (error: unknown): string | undefined => {
  const kind = (error as { readonly type?: unknown } | null)?.type;
  return typeof kind === 'string' ? kind : undefined;
};

/** Whether the engine gave no answer, so that asking again may help. */
export const isUnavailableError = (error: unknown): boolean => !ENGINE_ANSWERS.has(errorTypeOf(error) ?? '');

/**
 * Wraps the error for callers. Only the first line of its message is kept, because the rest may hold a whole request.
 */
export function toUnavailable(what: string, error: unknown): EventLogUnavailable {
  if (error instanceof EventLogUnavailable) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new EventLogUnavailable(what, errorTypeOf(error) ?? (text.split('\n')[0] as string));
}
