import type { ApiError } from '../api-errors.ts';
import { validationError } from '../operation/operation-input.ts';
import { containsApiKey } from '../redact-keys.ts';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';

const MAX_KEY_LENGTH = 255;
/** Blanks around a header's value are not part of it. */
const PRINTABLE = /^[\x20-\x7e]*$/;

/** @throws ApiError validation_error if the key is invalid */
export function checkIdempotencyKey(key: string): void {
  if (key === '') throw invalidIdempotencyKey('must not be empty', 'too_small');
  if (key.length > MAX_KEY_LENGTH)
    throw invalidIdempotencyKey(`must have at most ${MAX_KEY_LENGTH} characters`, 'too_big');
  if (!PRINTABLE.test(key)) throw invalidIdempotencyKey('must be printable ASCII', 'invalid_format');
  if (containsApiKey(key)) throw invalidIdempotencyKey('must not hold an API key', 'invalid_format');
}

export const invalidIdempotencyKey = (msg: string, type: string): ApiError =>
  validationError([{ loc: ['header', IDEMPOTENCY_KEY], msg, type }]);
