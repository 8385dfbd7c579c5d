import { ApiError } from './errors.ts';

/** Why a key opens nothing. Whoever has only guessed a part of one is not told more than `unknown`. */
export type KeyFault = 'missing' | 'unknown' | 'deactivated';

/** A caller whom no key makes known. On every way out but that of `/compat` the fault shows in the message alone. */
export class KeyRefusal extends ApiError<'unauthorized'> {
  readonly fault: KeyFault;
  constructor(fault: KeyFault) {
    super(
      'unauthorized',
      fault === 'missing'
        ? 'A valid API key is required: Authorization: Bearer <API_KEY>.'
        : 'The API key is malformed, unknown, revoked or expired.',
    );
    this.fault = fault;
  }
}
