import { Unavailable } from '../../domain/unavailable.ts';

/** EventStoreDB refuses, hangs or answers with errors. Whether an append took effect may be unknown. */
export class EventLogAway extends Unavailable {
  readonly engine = 'event-log';
  constructor(what: string, why: string) {
    super(`event-log: ${what}: ${why}`, 1);
    this.name = 'EventLogAway';
  }
}

/** What the engine says of a request, whoever asks again: nothing is wrong with it. */
const ANSWERS = new Set([
  'wrong-expected-version',
  'stream-not-found',
  'stream-deleted',
  'maximum-append-size-exceeded',
  'invalid-argument',
]);

/** The kind of an error of the client, as it names them. */
export const kindOf = (error: unknown): string | undefined => {
  const kind = (error as { readonly type?: unknown } | null)?.type;
  return typeof kind === 'string' ? kind : undefined;
};

/** Whether an error of the client is no answer, so that asking again may help. */
export const isAway = (error: unknown): boolean => !ANSWERS.has(kindOf(error) ?? '');

/** The same for those who called the engine. Nothing of its text but the first line: it may hold a whole request. */
export function awayOf(what: string, error: unknown): EventLogAway {
  if (error instanceof EventLogAway) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new EventLogAway(what, kindOf(error) ?? (text.split('\n')[0] as string));
}
