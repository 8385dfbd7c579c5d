import { expect, it } from 'vitest';
import { parseMessage } from '../../../src/domain/feed/parse-message.ts';

const nested = (open: string, close: string, levels: number): unknown =>
  JSON.parse(
    `{"kind":"score","source":"s","at":"2026-09-01T00:00:00Z","ref":"1","status":"final","x":${open.repeat(levels)}1${close.repeat(levels)}}`,
  );

it('accepts an unknown field with a reasonable depth', () => {
  expect(parseMessage(nested('[', ']', 30))).toHaveProperty('message.x');
});

it('rejects a message so deep that serializing it would overflow the stack', () => {
  for (const levels of [60, 5000, 200_000]) {
    for (const [open, close] of [
      ['[', ']'],
      ['{"a":', '}'],
    ] as const) {
      expect(parseMessage(nested(open, close, levels))).toMatchObject({
        rejection: { code: 'invalid_field', path: '' },
      });
    }
  }
});
