import { randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { describe, expect, it } from 'vitest';
import { signedHeaders } from '../../../src/webhooks/http/webhook-signature.ts';

const newSecret = () => `whsec_${randomBytes(32).toString('base64')}`;
const BODY = JSON.stringify({ type: 'score', data: { event_id: 1, name: 'Zürich – Genève' } });

describe('the headers of a webhook', () => {
  it("satisfy Standard Webhooks' own verifier", () => {
    const secret = newSecret();
    const headers = signedHeaders('msg_1_2_0', Date.now(), BODY, [secret]);
    expect(new Webhook(secret).verify(BODY, headers)).toEqual(JSON.parse(BODY));
  });

  it('satisfy receivers that know either of two secrets, and nobody else', () => {
    const [before, after] = [newSecret(), newSecret()];
    const headers = signedHeaders('msg_1_2_0', Date.now(), BODY, [after, before]);
    expect(headers['webhook-signature'].split(' ')).toHaveLength(2);
    for (const secret of [before, after]) expect(() => new Webhook(secret).verify(BODY, headers)).not.toThrow();
    expect(() => new Webhook(newSecret()).verify(BODY, headers)).toThrow('No matching signature');
  });

  it.each([
    ['id', { 'webhook-id': 'msg_1_2_1' }, BODY],
    ['time', { 'webhook-timestamp': String(Math.floor(Date.now() / 1000) - 1) }, BODY],
    ['body', {}, `${BODY} `],
  ])('sign the %s', (_name, changed, body) => {
    const secret = newSecret();
    const headers = { ...signedHeaders('msg_1_2_0', Date.now(), BODY, [secret]), ...changed };
    expect(() => new Webhook(secret).verify(body, headers)).toThrow('No matching signature');
  });

  it('are the same as another implementation makes', () => {
    const secret = newSecret();
    const at = Date.parse('2026-11-22T10:00:00.999Z');
    const headers = signedHeaders('msg_1_2_0', at, BODY, [secret]);
    expect(headers).toEqual({
      'webhook-id': 'msg_1_2_0',
      'webhook-timestamp': String(Math.floor(at / 1000)),
      'webhook-signature': new Webhook(secret).sign('msg_1_2_0', new Date(at), BODY),
    });
  });

  it.each(['', 'secret', 'whsec_', 'whsec_c2hvcnQ='])('are not made with %j', (secret) => {
    expect(() => signedHeaders('msg_1_2_0', 0, BODY, [secret])).toThrow('the secret of a webhook must');
  });
});
