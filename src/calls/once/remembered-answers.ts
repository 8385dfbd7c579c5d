import { DAY } from '../../domain/time.ts';

/** How long an answer is remembered, in milliseconds. */
export const REMEMBERED_FOR = DAY;

/** What a client's `Idempotency-Key` belongs to. */
export interface RememberedPlace {
  readonly accountId: number;
  /** Of the request, without its query. */
  readonly path: string;
  readonly key: string;
}

export interface RememberedAnswer {
  /** Of what was asked. */
  readonly requestHash: string;
  /** JSON. */
  readonly answer: unknown;
}

/** Answers to calls that came with an `Idempotency-Key`. Times are milliseconds. */
export interface RememberedAnswers {
  /** Undefined, too, for one that is too old at this time. */
  find(place: RememberedPlace, now: number): Promise<RememberedAnswer | undefined>;
  /** In the place of an older one. Some of those that are too old go on the way. */
  keep(place: RememberedPlace, answer: RememberedAnswer, now: number): Promise<void>;
}
