import { createHmac } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';

/**
 * The headers of Standard Webhooks. Each secret makes its own signature: during a rotation, receivers that know either
 * secret can verify.
 * @param secrets `whsec_` + base64
 * @param at time of sending in milliseconds
 */
export function signedHeaders(webhookId: string, at: number, body: string, secrets: readonly string[]) {
  const timestamp = String(Math.floor(at / 1000));
  const signed = `${webhookId}.${timestamp}.${body}`;
  return {
    'webhook-id': webhookId,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.map((secret) => `v1,${hmac(secret, signed)}`).join(' '),
  };
}

function hmac(secret: string, text: string): string {
  if (!secret.startsWith(SECRET_PREFIX)) throw new Error(`the secret of a webhook must start with ${SECRET_PREFIX}`);
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  // Buffer.from stops at the first invalid character of base64. A secret cut short or empty would sign without an
  // error.
  if (key.length < 16) throw new Error(`the secret of a webhook must hold at least 16 bytes in base64`);
  return createHmac('sha256', key).update(text).digest('base64');
}
