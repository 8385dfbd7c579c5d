import { describe, expect, it } from 'vitest';
import { verifyWebhook } from '../../../src/api/client/index.ts';
import { signedHeaders } from '../../../src/webhooks/http/webhook-signature.ts';

const secretOf = (letter: string) => `whsec_${btoa(letter.repeat(32))}`;
const SECRET = secretOf('a');
const NOW = Date.parse('2026-03-01T12:00:00Z');
const MESSAGE = { type: 'score', timestamp: '2026-03-01T12:00:00Z', data: { event_id: 1, name: 'Zürich – Genève' } };
const BODY = JSON.stringify(MESSAGE);
const signed = (at = NOW, secrets = [SECRET]) => signedHeaders('msg_1_2_0', at, BODY, secrets);
const verify = (headers: Parameters<typeof verifyWebhook>[1], body: string | Uint8Array = BODY) =>
  verifyWebhook(SECRET, headers, body, NOW);

describe('a webhook as the server signs it', () => {
  it.each([
    ['a text, and headers as Node has them', signed(), BODY],
    ['bytes', signed(), new TextEncoder().encode(BODY)],
    ['bytes of Node', signed(), Buffer.from(BODY)],
    ['headers as fetch has them', new Headers(signed()), BODY],
    [
      'names in other letters',
      Object.fromEntries(Object.entries(signed()).map(([n, v]) => [n.toUpperCase(), v])),
      BODY,
    ],
    ['two secrets that sign, ours first', signed(NOW, [SECRET, secretOf('b')]), BODY],
    ['two secrets that sign, ours last', signed(NOW, [secretOf('b'), SECRET]), BODY],
    ['five minutes late', signed(NOW - 300_000), BODY],
    ['five minutes early', signed(NOW + 300_000), BODY],
  ])('is believed: %s', async (_, headers, body) => {
    expect(await verify(headers, body)).toEqual(MESSAGE);
  });

  it('is judged by the platform’s clock unless told', async () => {
    expect(await verifyWebhook(SECRET, signed(Date.now()), BODY)).toEqual(MESSAGE);
    await expect(verifyWebhook(SECRET, signed(), BODY)).rejects.toMatchObject({ code: 'invalid_webhook' });
  });
});

describe('a webhook is rejected', () => {
  const without = (name: string) => Object.fromEntries(Object.entries(signed()).filter(([other]) => other !== name));
  const WRONG = 'webhook-signature has no signature that the secret makes';
  it.each([
    ['of another secret', signed(NOW, [secretOf('b')]), BODY, WRONG],
    ['with another body', signed(), `${BODY} `, WRONG],
    ['with another id', { ...signed(), 'webhook-id': 'msg_1_2_1' }, BODY, WRONG],
    ['with another time', { ...signed(), 'webhook-timestamp': String(NOW / 1000 + 1) }, BODY, WRONG],
    [
      'of another version',
      { ...signed(), 'webhook-signature': signed()['webhook-signature'].replace('v1', 'v2') },
      BODY,
      WRONG,
    ],
    [
      'with half a signature',
      { ...signed(), 'webhook-signature': signed()['webhook-signature'].slice(0, 20) },
      BODY,
      WRONG,
    ],
    ['with what is no base64', { ...signed(), 'webhook-signature': 'v1,*' }, BODY, WRONG],
    ['more than five minutes late', signed(NOW - 301_000), BODY, 'webhook-timestamp is more than 5 minutes off'],
    ['more than five minutes early', signed(NOW + 301_000), BODY, 'webhook-timestamp is more than 5 minutes off'],
    ['with no time', { ...signed(), 'webhook-timestamp': 'now' }, BODY, 'webhook-timestamp is no Unix time'],
    ['without its id', without('webhook-id'), BODY, 'the header webhook-id is missing'],
    ['without a time', without('webhook-timestamp'), BODY, 'the header webhook-timestamp is missing'],
    ['without a signature', without('webhook-signature'), BODY, 'the header webhook-signature is missing'],
    ['without headers', new Headers(), BODY, 'the header webhook-id is missing'],
  ])('%s', async (_, headers, body, message) => {
    await expect(verify(headers, body)).rejects.toMatchObject({
      name: 'LedgerlineError',
      code: 'invalid_webhook',
      message,
    });
  });

  it.each(['', 'secret', 'whsec_', 'whsec_c2hvcnQ=', 'whsec_*'])('whatever it is, by the secret %j', async (secret) => {
    await expect(verifyWebhook(secret, signed(), BODY, NOW)).rejects.toThrow(
      new TypeError('secret must be whsec_ and base64, as the server gave it'),
    );
  });
});
