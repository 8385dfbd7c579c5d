import { MongoError, MongoServerError } from 'mongodb';
import { Unavailable } from '../../../domain/unavailable.ts';

const ASK_AGAIN_AFTER_SECONDS = 2;

/** MongoDB refuses, hangs or answers with an error. Whether what was sent took effect is not known. */
export class ReadStoreAway extends Unavailable {
  readonly engine = 'read-store';
  constructor(reason: string, options?: ErrorOptions) {
    super(`the read store is away (${reason})`, ASK_AGAIN_AFTER_SECONDS, options);
    this.name = 'ReadStoreAway';
  }
}

/** What the driver has thrown, as callers shall see it. The reason is a name: words of servers may tell addresses. */
export function asStoreError(error: unknown): unknown {
  if (!(error instanceof MongoError)) return error;
  const name = error instanceof MongoServerError ? String(error.codeName ?? error.code ?? error.name) : error.name;
  return new ReadStoreAway(name, { cause: error });
}
