import type { Visitor } from '../../web/account/visitor.ts';

/** A call that may cost credits. */
export interface Call {
  readonly requestId: string;
  /** Undefined: it got no answer. */
  status?: number;
  credits?: number;
}

/** Something that is bought under an idempotency key, perhaps in several attempts. */
export interface Purchase {
  readonly idempotencyKey: string;
  readonly requestIds: string[];
  isAnswered: boolean;
}

export interface MadeKey {
  readonly id: number;
  readonly key: string;
  /** `asked`: perhaps it is revoked. */
  revoked: 'no' | 'asked' | 'yes';
}

export interface Registered {
  readonly email: string;
  isVerified: boolean;
  /** Of the plan with a price. */
  subscribed: 'no' | 'asked' | 'yes';
}

/** What the server has told its clients, and what they asked for without an answer. */
export interface Acknowledged {
  readonly messages: object[];
  readonly calls: Call[];
  readonly purchases: Purchase[];
  readonly keys: MadeKey[];
  readonly users: Registered[];
}

/** Who was there before the first failure: an owner with a session, a card on file, two keys and credits. */
export interface Owner {
  readonly email: string;
  readonly keys: readonly string[];
  readonly cookies: Visitor['cookies'];
}

export const PASSWORD = 'a fine long password';
export const INGEST_KEY = 'an-ingest-key-of-the-tests';
