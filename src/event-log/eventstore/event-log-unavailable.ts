import { UnavailableError } from '../../domain/primitives/domain-errors.ts';

/** EventStoreDB refuses, hangs or answers with errors. Whether an append took effect may be unknown. */
export class EventLogUnavailable extends UnavailableError {
  readonly engine = 'event-log';
  /** Asking again does not help: somebody must change something. */
  readonly isPermanent: boolean;
  constructor(what: string, why: string, { isPermanent = false }: { readonly isPermanent?: boolean } = {}) {
    super(`event-log: ${what}: ${why}`, 1);
    this.name = 'EventLogUnavailable';
    this.isPermanent = isPermanent;
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

/** Only the first line, because the rest may hold a whole request. */
const textOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split('\n')[0] as string;

/** Versions 22.10, 24.6 and 24.6 with a subscription, in their own words. */
const WRONG_PLACE = /Unexpected ReadAllResult: (?:Error|InvalidPosition)|Trying to read from an invalid position/;

/** Whether the engine says that no event begins at the place from which the whole log was to be read. */
export const isWrongPlace = (error: unknown): boolean => WRONG_PLACE.test(textOf(error));

const UNAUTHENTICATED = 16;
const CERTIFICATE = /certificate|self[- ]signed|altname|SSL routines|wrong version number|CERT_/i;

/** Why the engine, or this process, will refuse every request until somebody acts, and what to do. */
export function permanentRefusal(error: unknown): string | undefined {
  if (errorTypeOf(error) === 'access-denied') {
    return (error as { readonly code?: unknown }).code === UNAUTHENTICATED
      ? 'access-denied: the engine does not know this user or password; correct them in EVENT_LOG_URL'
      : 'access-denied: the user of EVENT_LOG_URL may not do this; make it a member of $admins, or let it read $all and append';
  }
  const text = textOf(error);
  if (errorTypeOf(error) !== 'unavailable' || !CERTIFICATE.test(text)) return undefined;
  const cause = text.match(/Last error: (.*?)(?:\. Resolution note.*)?$/)?.[1] ?? text;
  return `certificate refused (${cause}); name the file of its authority as tlsCAFile in EVENT_LOG_URL, or correct tls`;
}

/** Wraps the error for callers. */
export function toUnavailable(what: string, error: unknown): EventLogUnavailable {
  if (error instanceof EventLogUnavailable) return error;
  const refusal = permanentRefusal(error);
  if (refusal !== undefined) return new EventLogUnavailable(what, refusal, { isPermanent: true });
  return new EventLogUnavailable(what, errorTypeOf(error) ?? textOf(error));
}
