import { UnavailableError } from '../../domain/primitives/domain-errors.ts';

/** EventStoreDB refuses, hangs or answers with errors. Whether an append took effect may be unknown. */
export class EventLogUnavailable extends UnavailableError {
  readonly engine = 'event-log';
  constructor(what: string, why: string) {
    super(`event-log: ${what}: ${why}`, 1);
    this.name = 'EventLogUnavailable';
  }
}

/** What the engine says of a request, whoever asks again: nothing is wrong with it. */
const ENGINE_ANSWERS = new Set([
  'wrong-expected-version',
  'stream-not-found',
  'stream-deleted',
  'maximum-append-size-exceeded',
  'invalid-argument',
]);

/** The kind of an error of the client, as it names them. */
export const errorTypeOf = (error: unknown): string | undefined => {
  const kind = (error as { readonly type?: unknown } | null)?.type;
  return typeof kind === 'string' ? kind : undefined;
};

/** Whether an error of the client is no answer, so that asking again may help. */
export const isUnavailableError = (error: unknown): boolean => !ENGINE_ANSWERS.has(errorTypeOf(error) ?? '');

/** The same for those who called the engine. Nothing of its text but the first line: it may hold a whole request. */
export function toUnavailable(what: string, error: unknown): EventLogUnavailable {
  if (error instanceof EventLogUnavailable) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new EventLogUnavailable(what, errorTypeOf(error) ?? (text.split('\n')[0] as string));
}
