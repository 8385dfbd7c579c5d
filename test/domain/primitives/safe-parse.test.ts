import { expect, it } from 'vitest';
import { ApiError } from '../../../src/api/calls/api-errors.ts';
import { createInputReader } from '../../../src/api/calls/operation/operation-input.ts';
import { batchGetEvents } from '../../../src/api/operations/events/batch-get-events.ts';
import { parseMessage } from '../../../src/domain/feed/parse-message.ts';

/** A length that is not a number and cannot be converted to one. */
const hostile = JSON.parse('{"length": {"toString": 1, "valueOf": 1}}') as unknown;

it('rejects a message with an object that has a `length` instead of a list or a text', () => {
  const odds = { kind: 'odds', source: 's', at: '2026-09-01T00:00:00Z', ref: '1', bookmaker: 'b' };
  expect(parseMessage({ ...odds, markets: hostile })).toMatchObject({ rejection: { code: 'invalid_field' } });
  expect(parseMessage({ ...odds, ref: hostile, markets: [] })).toMatchObject({ rejection: { code: 'invalid_field' } });
});

it('rejects a request with such an object as an invalid body', () => {
  const read = () => createInputReader(batchGetEvents).fromHttp({}, '', { event_ids: hostile });
  expect(read).toThrow(ApiError);
  expect(read).toThrow(expect.objectContaining({ code: 'validation_error' }));
});
