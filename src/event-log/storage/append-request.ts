import type { NewRecord } from '../../domain/event-sourcing/record.ts';
import { type EncodedContent, encodeAsJson } from '../encoding/record-encoding.ts';
import { ConflictError, type ExpectedRevision, type StreamAppend } from '../port/event-log.ts';

/** An event as it is stored. Payloads are text, so that the caller may change its objects later. */
export interface EncodedEvent extends EncodedContent {
  readonly type: string;
}

/** @throws TypeError when the record is not JSON */
type EncodeContent = (stream: string, record: NewRecord) => EncodedContent;

export interface AppendRequest {
  readonly stream: string;
  readonly events: readonly EncodedEvent[];
  readonly expected: ExpectedRevision;
}

// A database may cut text at NUL and replace lone surrogates, so two names could become one.
const streamName = /^[^\0\p{Surrogate}]+$/u;

/**
 * Checks and encodes the appends of one caller before they share a transaction with others: a malformed event must not
 * fail the rest of the group.
 * @throws TypeError
 */
export function encodeAppends(
  appends: readonly StreamAppend[],
  encode: EncodeContent = (_stream, record) => encodeAsJson(record),
): AppendRequest[] {
  return appends.map(({ stream, events, expected }) => {
    if (!streamName.test(stream)) throw new TypeError(`not a stream name: ${JSON.stringify(stream)}`);
    if (typeof expected === 'number' && !(Number.isSafeInteger(expected) && expected >= 0)) {
      throw new TypeError(`expected revision ${expected}: use 'none' for a stream that does not exist`);
    }
    return { stream, expected, events: events.map((event) => encodeEvent(stream, event, encode)) };
  });
}

/** @param actual the stream's last revision; -1 if the stream does not exist */
export function findConflict({ stream, expected }: AppendRequest, actual: number): ConflictError | undefined {
  return isAsExpected(expected, actual) ? undefined : new ConflictError(stream, expected, actual);
}

function isAsExpected(expected: ExpectedRevision, actual: number): boolean {
  switch (expected) {
    case 'any':
      return true;
    case 'none':
      return actual === -1;
    case 'exists':
      return actual >= 0;
    default:
      return actual === expected;
  }
}

function encodeEvent(stream: string, event: NewRecord, encode: EncodeContent): EncodedEvent {
  const { type, version } = event;
  if (typeof type !== 'string' || type === '' || type.includes('\0')) throw new TypeError('an event needs a type');
  if (!Number.isSafeInteger(version) || version < 1) throw new TypeError(`${type}: not a version: ${version}`);
  return { type, ...encode(stream, event) };
}
