import type { ApiError } from '../errors.ts';
import { holdsKey } from '../keys-in-text.ts';
import { validationError } from '../operation-input.ts';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';

const LONGEST = 255;
/** Blanks around a header are not part of it. */
const PRINTABLE = /^[\x20-\x7e]*$/;

/** @throws ApiError validation_error for what is no key */
export function checkIdempotencyKey(key: string): void {
  if (key === '') throw refusedKey('must not be empty', 'too_small');
  if (key.length > LONGEST) throw refusedKey(`must have at most ${LONGEST} characters`, 'too_big');
  if (!PRINTABLE.test(key)) throw refusedKey('must be printable ASCII', 'invalid_format');
  if (holdsKey(key)) throw refusedKey('must not hold an API key', 'invalid_format');
}

export const refusedKey = (msg: string, type: string): ApiError =>
  validationError([{ loc: ['header', IDEMPOTENCY_KEY], msg, type }]);
