import { Writable } from 'node:stream';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { redactSecrets } from '../../../src/api/calls/redact-keys.ts';

const SECRET = 'p6Zp3lGm0cQwTn8x-_AaBbCcDdEeFfGgHhIiJjKkLlM';
const KEY = `llk_Ab12Cd34Ef56.${SECRET}`;

function logged(fields: object, text = 'told'): string {
  const lines: string[] = [];
  const sink = new Writable({
    write(chunk, _, done) {
      lines.push(String(chunk));
      done();
    },
  });
  pino({ base: null, hooks: { streamWrite: redactSecrets } }, sink).info(fields, text);
  return lines.join('');
}

describe('a line of the log', () => {
  it.each<[string, object, string?]>([
    ['a URL', { url: `/v1/events/1/stream?api_key=${KEY}&x=1` }],
    ['a URL with a key of any form', { url: `/v1/events/1/stream?x=1&api_key=${SECRET}` }],
    ['a URL of a program for another API', { url: `/compat/the-odds-api/v4/sports?x=1&apiKey=${SECRET}` }],
    ['an error that quotes a URL', { err: new Error(`GET "http://h/v1/events/1/stream?api_key=${SECRET}" failed`) }],
    ['a URL inside a URL', { url: `/login?next=%2Fv1%2Fevents%2F1%2Fstream%3Fapi_key%3D${SECRET}` }],
    ['an input', { input: { id: 1, api_key: SECRET } }],
    ['an input as text', { input: JSON.stringify({ api_key: SECRET }) }],
    ['a header', { headers: { authorization: `Bearer ${SECRET}` } }],
    ['its text', {}, `key ${KEY} is not known`],
  ])('holds no key: %s', (_, fields, text) => {
    const line = logged(fields, text);
    expect(line).not.toContain(SECRET);
    expect(line).toContain('[hidden]');
    expect(() => JSON.parse(line)).not.toThrow();
  });

  it('stays as it is otherwise', () => {
    const fields = { url: '/v1/events?sport=nba&api=1', prefix: 'llk_Ab12Cd34Ef56' };
    expect(JSON.parse(logged(fields))).toMatchObject({ ...fields, msg: 'told' });
    expect(JSON.parse(logged({ url: `/s?api_key=${KEY}&sport=nba` })).url).toBe('/s?api_key=[hidden]&sport=nba');
  });
});
