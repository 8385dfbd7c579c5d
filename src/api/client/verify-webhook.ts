import { INVALID_WEBHOOK, LedgerlineError } from './ledgerline-error.ts';

/** The body of a webhook. */
export interface WebhookMessage {
  /** The event type that the subscription named, or `test`. */
  readonly type: string;
  /** When it happened: UTC, ISO 8601. */
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** As `Request` has them, or `IncomingMessage` of Node. */
export type WebhookHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

const PREFIX = 'whsec_';
const TOLERANCE_SECONDS = 5 * 60;

/**
 * Checks that a webhook is Ledgerline's, by Standard Webhooks.
 * @param secret the subscription's `signing_secret`
 * @param body as it came: what is parsed and written again has other bytes
 * @param now milliseconds
 * @returns the parsed body
 * @throws LedgerlineError with the code `invalid_webhook` where a header is missing, the signature is wrong, or the
 *   timestamp is more than 5 minutes off
 */
export async function verifyWebhook(
  secret: string,
  headers: WebhookHeaders,
  body: string | Uint8Array,
  now: number = Date.now(),
): Promise<WebhookMessage> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!/^\d{1,12}$/.test(timestamp)) throw invalid('webhook-timestamp is no Unix time');
  if (Math.abs(now / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) {
    throw invalid('webhook-timestamp is more than 5 minutes off');
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body;
  const signed = concatenated(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const key = await keyOf(secret);
  for (const signature of signatures.split(' ')) {
    const mac = signature.startsWith('v1,') ? bytesOf(signature.slice(3)) : undefined;
    // Web Crypto compares in a time that does not depend on what is equal.
    if (mac && (await crypto.subtle.verify('HMAC', key, mac, signed))) {
      return JSON.parse(new TextDecoder().decode(bytes)) as WebhookMessage;
    }
  }
  throw invalid('webhook-signature has no signature that the secret makes');
}

function headerOf(headers: WebhookHeaders, name: string): string {
  const found =
    headers instanceof Headers
      ? headers.get(name)
      : Object.entries(headers).find(([other]) => other.toLowerCase() === name)?.[1];
  const value = typeof found === 'string' || found === null ? found : found?.[0];
  if (!value) throw invalid(`the header ${name} is missing`);
  return value;
}

function keyOf(secret: string) {
  const bytes = secret.startsWith(PREFIX) ? bytesOf(secret.slice(PREFIX.length)) : undefined;
  // An empty key would verify what anybody can sign.
  if (!bytes || bytes.length < 16) throw new TypeError(`secret must be ${PREFIX} and base64, as the server gave it`);
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['verify']);
}

/** Undefined where it is no base64. */
function bytesOf(base64: string) {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function concatenated(first: Uint8Array, second: Uint8Array) {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}

const invalid = (message: string) => new LedgerlineError({ status: 0, code: INVALID_WEBHOOK, message });
