import { MongoError, MongoServerError } from 'mongodb';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';

const RETRY_AFTER_SECONDS = 2;

/** MongoDB refuses, hangs or answers with an error. A request may have taken effect nevertheless. */
export class ReadStoreUnavailable extends UnavailableError {
  readonly engine = 'read-store';
  constructor(reason: string, options?: ErrorOptions) {
    super(`the read store is away (${reason})`, RETRY_AFTER_SECONDS, options);
    this.name = 'ReadStoreAway';
  }
}

/**
 * The error of the driver in the form that callers get. The reason is only a name: messages of servers may contain
 * addresses.
 */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof MongoError)) return error;
  const name = error instanceof MongoServerError ? String(error.codeName ?? error.code ?? error.name) : error.name;
  return new ReadStoreUnavailable(name, { cause: error });
}
