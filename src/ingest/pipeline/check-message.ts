import {
  MAX_DEPTH,
  MAX_MESSAGE_BYTES,
  parseMessage,
  TOO_DEEP_REJECTION,
  tooLargeRejection,
} from '../../domain/feed/parse-message.ts';
import { timeOf } from '../../domain/observations/observation.ts';
import { isNestedDeeper } from '../../domain/primitives/json-depth.ts';
import { memorySize } from '../../domain/primitives/size-in-memory.ts';
import { MINUTE } from '../../domain/primitives/time.ts';
import type { IntakeItem } from '../intake/intake.ts';
import type { CheckedMessage } from './intake-batch.ts';

const MAX_AHEAD = 5 * MINUTE;
/** Characters above which the nesting of a message is checked before it is parsed. */
const LONG_MESSAGE_CHARS = 16 * 1024;

/**
 * The parsed message, or why the item is not a valid message.
 * @param now milliseconds
 */
export function checkMessage(item: IntakeItem, now: number): CheckedMessage {
  const { line } = item;
  let value: unknown;
  if (isTooLarge(item)) return { line, rejection: tooLargeRejection() };
  if ('text' in item) {
    if (item.text.length > LONG_MESSAGE_CHARS && isNestedDeeper(item.text, MAX_DEPTH + 1)) {
      return { line, rejection: TOO_DEEP_REJECTION };
    }
    try {
      value = JSON.parse(item.text);
    } catch {
      return { line, rejection: { code: 'invalid_json', message: 'the line is not valid JSON', path: '' } };
    }
  } else {
    value = item.value;
  }
  const parsed = parseMessage(value);
  if ('message' in parsed && timeOf(parsed.message.at) > now + MAX_AHEAD) {
    const message = "at: lies more than 5 minutes ahead of the server's clock";
    return { line, rejection: { code: 'at_in_future', message, path: 'at' } };
  }
  const { throttleMs, senderForgets = false } = item;
  return { line, ...parsed, ...(throttleMs === undefined ? {} : { throttleMs, senderForgets }) };
}

/** The maximum bytes that one byte in memory (`memorySize`) needs in JSON and UTF-8: an escaped control character. */
const BYTES_IN_JSON = 6;

function isTooLarge(item: IntakeItem): boolean {
  if ('text' in item) {
    return item.text.length * 3 > MAX_MESSAGE_BYTES && Buffer.byteLength(item.text) > MAX_MESSAGE_BYTES;
  }
  if (memorySize(item.value) * BYTES_IN_JSON <= MAX_MESSAGE_BYTES) return false;
  return Buffer.byteLength(JSON.stringify(item.value) ?? '') > MAX_MESSAGE_BYTES;
}
