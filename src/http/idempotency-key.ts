import type { IncomingMessage } from 'node:http';
import { holdsKey } from '../operations/keys-in-text.ts';
import { validationError } from './operation-input.ts';
import { isRepeated } from './repeated-header.ts';

export const IDEMPOTENCY_KEY = 'Idempotency-Key';
const NAME = IDEMPOTENCY_KEY.toLowerCase();

const LONGEST = 255;
/** Blanks around a header are not part of it. */
const PRINTABLE = /^[\x20-\x7e]*$/;

/** The key under which the client may repeat the request. @throws ApiError validation_error */
export function idempotencyKey({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const key = headers[NAME] as string | undefined;
  if (key === undefined) return undefined;
  if (isRepeated(rawHeaders, NAME)) throw refused('must not be given more than once', 'repeated');
  if (key === '') throw refused('must not be empty', 'too_small');
  if (key.length > LONGEST) throw refused(`must have at most ${LONGEST} characters`, 'too_big');
  if (!PRINTABLE.test(key)) throw refused('must be printable ASCII', 'invalid_format');
  if (holdsKey(key)) throw refused('must not hold an API key', 'invalid_format');
  return key;
}

export const usedOtherwise = (): Error => refused('was used for another request already', 'reused');

const refused = (msg: string, type: string): Error =>
  validationError([{ loc: ['header', IDEMPOTENCY_KEY], msg, type }]);
