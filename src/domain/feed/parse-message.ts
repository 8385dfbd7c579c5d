import { safeParse } from '../primitives/safe-parse.ts';
import { crossCheck } from './cross-checks.ts';
import { type FeedMessage, MESSAGE_KINDS, MESSAGE_SCHEMAS, type MessageKind } from './feed-messages.ts';
import { DAMAGED_TEXT } from './message-fields.ts';
import { parsePlainOdds } from './plain-odds.ts';
import type { Rejection } from './rejection.ts';

/** Validates any value as a feed message. Never throws. */
export function parseMessage(input: unknown): { message: FeedMessage } | { rejection: Rejection } {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) {
    return { rejection: { code: 'invalid_message', message: 'a message is a JSON object', path: '' } };
  }
  const kind = (input as { kind?: unknown }).kind;
  const schema =
    typeof kind === 'string' && Object.hasOwn(MESSAGE_SCHEMAS, kind) ? MESSAGE_SCHEMAS[kind as MessageKind] : undefined;
  if (!schema) {
    const message = `kind must be one of ${MESSAGE_KINDS.join(', ')}`;
    return { rejection: { code: 'unknown_kind', message, path: 'kind' } };
  }
  const plain = kind === 'odds' ? parsePlainOdds(input) : undefined;
  if (plain) return { message: plain };
  const cleaned = withoutNulls(input, 0);
  if (cleaned === TOO_DEEP) return { rejection: TOO_DEEP_REJECTION };
  if (cleaned === TOO_WIDE) return { rejection: TOO_WIDE_REJECTION };
  const result = safeParse(schema, cleaned, 'to the first issue');
  if (result === undefined) return { rejection: { code: 'invalid_field', message: 'message: is malformed', path: '' } };
  if (!result.success) {
    const issue = result.error.issues[0]!;
    const path = issue.path.join('.');
    return {
      rejection: { code: rejectionCode(issue.message), message: `${path || 'message'}: ${issue.message}`, path },
    };
  }
  const rejection = crossCheck(result.data);
  return rejection ? { rejection } : { message: result.data };
}

const CODES: ReadonlyMap<string, string> = new Map([
  ['unknown sport', 'unknown_sport'],
  ['unknown league', 'unknown_league'],
  [DAMAGED_TEXT, 'damaged_text'],
]);
const rejectionCode = (message: string): string => CODES.get(message) ?? 'invalid_field';

/** Size limit as JSON in UTF-8: logs and brokers accept about 1 MiB per entry, and a record must stay below that. */
export const MAX_MESSAGE_BYTES = 256 * 1024;
export const tooLargeRejection = (maxBytes = MAX_MESSAGE_BYTES): Rejection => ({
  code: 'message_too_large',
  message: `the message is larger than ${maxBytes} bytes`,
  path: '',
});

/**
 * Far more than any message needs. Deeper values would overflow the stack of any code that walks them, even years
 * later.
 */
export const MAX_DEPTH = 40;
const TOO_DEEP = Symbol('too deep');
export const TOO_DEEP_REJECTION: Rejection = {
  code: 'invalid_field',
  message: `message: is nested deeper than ${MAX_DEPTH} levels`,
  path: '',
};

/** Far more than any object of a message needs. Objects with many more members take long to check. */
const MAX_MEMBERS = 10_000;
const TOO_WIDE = Symbol('too wide');
const TOO_WIDE_REJECTION: Rejection = {
  code: 'invalid_field',
  message: `message: has an object of more than ${MAX_MEMBERS} members`,
  path: '',
};

/**
 * Removes null members. Returns `TOO_DEEP` for a value nested deeper than `MAX_DEPTH`, and `TOO_WIDE` for an object
 * with more than `MAX_MEMBERS` members.
 */
function withoutNulls(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (depth > MAX_DEPTH) return TOO_DEEP;
  if (Array.isArray(value)) {
    let items: unknown[] = value;
    for (let index = 0; index < value.length; index++) {
      const item = withoutNulls(value[index], depth + 1);
      if (item === value[index]) continue;
      if (item === TOO_DEEP || item === TOO_WIDE) return item;
      if (items === value) items = [...value];
      items[index] = item;
    }
    return items;
  }
  // Copy only if needed: most messages have no null.
  const members = value as Record<string, unknown>;
  let result = members;
  let count = 0;
  for (const key in members) {
    if (++count > MAX_MEMBERS) return TOO_WIDE;
    const member = members[key];
    const cleaned = member === null || key === '__proto__' ? undefined : withoutNulls(member, depth + 1);
    if (cleaned === member) continue;
    if (cleaned === TOO_DEEP || cleaned === TOO_WIDE) return cleaned;
    if (result === members) result = { ...members };
    if (cleaned === undefined) delete result[key];
    else result[key] = cleaned;
  }
  return result;
}
