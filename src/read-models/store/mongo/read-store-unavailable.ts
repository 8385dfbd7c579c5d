import { MongoError, MongoServerError } from 'mongodb';
import { UnavailableError } from '../../../domain/primitives/domain-errors.ts';

const RETRY_AFTER_SECONDS = 2;

/** MongoDB refuses, hangs or answers with an error. Whether what was sent took effect is not known. */
export class ReadStoreUnavailable extends UnavailableError {
  readonly engine = 'read-store';
  constructor(reason: string, options?: ErrorOptions) {
    super(`the read store is away (${reason})`, RETRY_AFTER_SECONDS, options);
    this.name = 'ReadStoreAway';
  }
}

/** What the driver has thrown, as callers shall see it. The reason is a name: words of servers may tell addresses. */
export function toStoreError(error: unknown): unknown {
  if (!(error instanceof MongoError)) return error;
  const name = error instanceof MongoServerError ? String(error.codeName ?? error.code ?? error.name) : error.name;
  return new ReadStoreUnavailable(name, { cause: error });
}
