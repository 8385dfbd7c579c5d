import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readToolArguments } from '../../../../src/api/calls/operation/tool-arguments.ts';
import { PROMPTS } from '../../../../src/api/mcp/modern/prompts.ts';
import { operations } from '../../../../src/api/operations/index.ts';
import { type Served, serve } from '../../http/serving.ts';
import { ask } from './modern-client.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

const GIVEN = { slip: 'Chiefs -3.5', event_id: '12', bookmaker: 'fanduel', sport: 'nfl', date: '2026-11-29' };

describe.each(PROMPTS)('the prompt $name', (prompt) => {
  it('plans calls of tools that exist, with arguments that they take', () => {
    for (const values of [GIVEN, { ...GIVEN, bookmaker: undefined, date: undefined }]) {
      for (const { tool, arguments: given } of prompt.plan(values)) {
        const operation = operations.find(({ name }) => name === tool)!;
        // What stands in angle brackets comes from the answer to an earlier call.
        const known = Object.entries(given).map(([name, value]) => [name, /^<.*>$/.test(String(value)) ? 1 : value]);
        expect(readToolArguments(operation, Object.fromEntries(known)).errors).toBeUndefined();
      }
    }
  });

  it('is filled with its arguments', async () => {
    const given = Object.fromEntries(prompt.arguments.map(({ name }) => [name, GIVEN[name as keyof typeof GIVEN]]));
    const { body, headers } = await ask(served, 'prompts/get', { name: prompt.name, arguments: given });
    const [{ role, content }] = body.result.messages;
    expect([role, content.type, headers.get('x-credits-used')]).toEqual(['user', 'text', '0']);
    for (const { name, required } of prompt.arguments) {
      if (required) expect(content.text).toContain(GIVEN[name as keyof typeof GIVEN]);
    }
  });

  it('names an argument that is missing', async () => {
    const { body } = await ask(served, 'prompts/get', { name: prompt.name });
    expect(body.error).toMatchObject({ code: -32602, message: expect.stringContaining(prompt.arguments[0]!.name) });
  });
});

it('there is no other prompt', async () => {
  const { body } = await ask(served, 'prompts/get', { name: 'toString' });
  expect(body.error.code).toBe(-32602);
});
