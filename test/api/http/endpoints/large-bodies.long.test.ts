import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { composed } from '../../../support/composed.ts';
import { longestBlocking, MAX_BLOCKING_MS } from '../../../support/longest-blocking.ts';

let opened: Awaited<ReturnType<typeof composed>>;
let key: string;
beforeAll(async () => {
  opened = await composed({ settings: { ingestKey: 'door' } });
  await opened.core.runner.start();
  ({ key } = await opened.newKey());
});
afterAll(() => opened.close());

const MIB = 1024 * 1024;

async function post(path: string, secret: string, type: string, body: string | Uint8Array) {
  const response = await fetch(opened.url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}`, 'content-type': type },
    body: body as string,
  });
  return { status: response.status, body: (await response.json()) as any };
}

const JSON_TYPE = 'application/json';
const NDJSON = 'application/x-ndjson';
const ingest = (body: string | Uint8Array, type = JSON_TYPE) => post('/ingest/v1/messages', 'door', type, body);

/** A message of this size about an event that nobody has heard of. */
const long = (ref: string, bytes: number) => {
  const markets = Array.from({ length: 20 }, (_, index) => ({
    key: `m${index}`,
    outcomes: Array.from({ length: Math.floor(bytes / 640) }, () => ({ outcome: 'over', price: 105 })),
  }));
  return { kind: 'odds', source: 'feed', at: '2026-03-01T11:00:00Z', ref, bookmaker: 'book', markets };
};

describe('fault 14: a large body at the ingest endpoint', () => {
  const firstErrors = (code: string, count = 100) =>
    Array.from({ length: count }, (_, index) => expect.objectContaining({ line: index + 1, code }));
  const count = 150_000;
  const cases: [string, () => string, string, number, object][] = [
    [
      'an array of many numbers',
      () => `[${'0,'.repeat(count - 1)}0]`,
      JSON_TYPE,
      400,
      { received: count, rejected: count, errors: firstErrors('invalid_message') },
    ],
    [
      'many lines that are no messages',
      () => '0\n'.repeat(count),
      NDJSON,
      400,
      { received: count, rejected: count, errors: firstErrors('invalid_message') },
    ],
    ['nothing but line ends', () => '\n'.repeat(MIB), NDJSON, 200, { received: 0 }],
    [
      'arrays in arrays',
      () => '['.repeat(8 * MIB) + ']'.repeat(8 * MIB),
      JSON_TYPE,
      400,
      { received: 1, rejected: 1, errors: [expect.objectContaining({ line: 1, code: 'message_too_large' })] },
    ],
    [
      'arrays that are not closed',
      () => '['.repeat(16 * MIB),
      JSON_TYPE,
      400,
      { received: 1, rejected: 1, errors: [expect.objectContaining({ line: 1, code: 'invalid_json' })] },
    ],
    [
      'a line of arrays in arrays',
      () => `${'['.repeat(MIB / 8)}${']'.repeat(MIB / 8)}\n`.repeat(4),
      NDJSON,
      400,
      { received: 4, rejected: 4, errors: firstErrors('invalid_field', 4) },
    ],
    [
      'one long text',
      () => JSON.stringify('x'.repeat(16 * MIB - 2)),
      JSON_TYPE,
      400,
      { received: 1, rejected: 1, errors: [expect.objectContaining({ line: 1, code: 'message_too_large' })] },
    ],
  ];

  it.each(cases)('that is %s holds up nobody', async (_, body, type, status, report) => {
    const bytes = Buffer.from(body());
    let shortest = Number.POSITIVE_INFINITY;
    // A collection of garbage that others have left may fall into one of them; what holds up the loop itself is in all.
    for (let tries = 0; tries < 3 && shortest >= MAX_BLOCKING_MS; tries++) {
      const { result, longest } = await longestBlocking(() => ingest(bytes, type));
      expect(result).toMatchObject({ status, body: report });
      shortest = Math.min(shortest, longest);
    }
    expect(shortest).toBeLessThan(MAX_BLOCKING_MS);
  });

  it('of many messages of 250 KB delays nobody for longer than one of them', async () => {
    let least = Number.POSITIVE_INFINITY;
    // A collection of garbage may fall into one of them.
    for (let attempt = 0; attempt < 3 && least > 1; attempt++) {
      const messages = Array.from({ length: 60 }, (_, index) => long(`unknown-${attempt}-${index}`, 250_000));
      expect(JSON.stringify(messages[0]).length).toBeGreaterThan(240_000);
      const alone = JSON.stringify(long(`alone-${attempt}`, 250_000));
      const { longest: one } = await longestBlocking(() => ingest(alone));
      const body = JSON.stringify(messages);
      const { result, longest } = await longestBlocking(() => ingest(body));
      expect(result).toMatchObject({ status: 200, body: { received: 60, quarantined: 60 } });
      least = Math.min(least, longest / Math.max(MAX_BLOCKING_MS, 3 * one));
    }
    expect(least).toBeLessThan(1);
  });

  it('accepts the messages of an array like those of lines', async () => {
    const good = {
      kind: 'team',
      source: 'feed',
      at: '2026-03-01T11:00:00Z',
      sport: 'nba',
      league: 'nba',
      abbreviation: 'ABC',
    };
    const messages = ['Aa', 'Bb', 'Cc'].map((name) => ({ ...good, ref: name, name }));
    const text = `\ufeff [${messages.map((one) => JSON.stringify(one, null, 2)).join(' ,\n')}, [], "é\\"]", {"kind":"team"}]\n`;
    expect(await ingest(text)).toMatchObject({
      status: 200,
      body: {
        received: 6,
        accepted: 3,
        rejected: 3,
        errors: [{ line: 4 }, { line: 5 }, { line: 6 }],
      },
    });
  });

  it('accepts nothing of an array that is broken at its end', async () => {
    const team = {
      kind: 'team',
      source: 'feed',
      at: '2026-03-01T11:00:00Z',
      sport: 'nba',
      league: 'nba',
      ref: 'z',
      abbreviation: 'ZZZ',
      name: 'Zz',
    };
    expect(await ingest(`[${JSON.stringify(team)},`)).toMatchObject({
      status: 400,
      body: { received: 1, rejected: 1 },
    });
    expect(await ingest(JSON.stringify(team))).toMatchObject({ body: { accepted: 1 } });
  });
});

describe('a body of an operation', () => {
  const batch = (body: string) => post('/v1/events/batch', key, JSON_TYPE, body);

  it('that is nested deeper than 40 levels is 400, whether it ends or not', async () => {
    const nested = (levels: number) => `{"event_ids":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
    expect(await batch(nested(40))).toMatchObject({ status: 422, body: { error: { code: 'validation_error' } } });
    for (const body of [nested(41), nested(400_000), '['.repeat(MIB), '[1,'.repeat(300_000)]) {
      const { result, longest } = await longestBlocking(() => batch(body));
      expect(result).toMatchObject({ status: 400, body: { error: { code: 'bad_request' } } });
      expect(result.body.error.message).toMatch(/40 levels/);
      expect(longest).toBeLessThan(MAX_BLOCKING_MS);
    }
  });

  it('that is no JSON is 400', async () => {
    for (const body of [
      '{"event_ids":[1]',
      '{"event_ids":[1,]}',
      '{}}',
      ' ',
      '\0',
      `{"event_ids":[${'1,'.repeat(MIB / 2 - 20)}`,
    ]) {
      expect(await batch(body)).toMatchObject({
        status: 400,
        body: { error: { code: 'bad_request', message: 'The body is not valid JSON.' } },
      });
    }
  });

  it('with a long list of errors delays nobody', async () => {
    const body = JSON.stringify({ event_ids: Array(200_000).fill('x') });
    const { result, longest } = await longestBlocking(() => batch(body));
    expect(result).toMatchObject({ status: 422, body: { error: { code: 'validation_error' } } });
    expect(longest).toBeLessThan(MAX_BLOCKING_MS);
  });
});
