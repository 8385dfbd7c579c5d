import { isObject, MAX_ANSWER_BYTES, readObject } from './answer-messages.ts';

/** An error of JSON-RPC. */
export interface ProxyError {
  readonly code: number;
  /** What happened, and what to do about it. */
  readonly message: string;
  readonly data?: unknown;
}

/** Of the protocol: the proxy could not get an answer. Other codes are statuses of HTTP, as the server's own are. */
const INTERNAL_ERROR = -32603;
const KEY_HINT = 'Put a valid key of this server into LEDGERLINE_API_KEY';

/** An answer of HTTP that is no message of the protocol. */
interface RefusedAnswer {
  readonly status: number;
  readonly body: string;
  /** Of the answer, if it has one. */
  readonly location: string | null;
  readonly endpoint: URL;
  readonly hasKey: boolean;
}

/** What a refusal of the server, or of something else at its address, means to the client. */
export function refusalError({ status, body, location, endpoint, hasKey }: RefusedAnswer): ProxyError {
  const envelope = readObject(body)?.['error'];
  const error = isObject(envelope) && typeof envelope['message'] === 'string' ? envelope : undefined;
  const said = error?.['message'] as string | undefined;
  const told = (message: string): ProxyError => ({ code: status, message, ...(error ? { data: error } : {}) });
  if (status === 401) {
    return told(
      hasKey
        ? `The server does not accept the API key. ${KEY_HINT}; ${endpoint.origin}/api-keys makes one.`
        : `The server needs an API key. ${KEY_HINT}; ${endpoint.origin}/api-keys makes one.`,
    );
  }
  if (status >= 300 && status < 400) {
    return told(
      `${addressOf(endpoint)} leads to ${location ?? 'another address'}. Give that address as LEDGERLINE_URL.`,
    );
  }
  if (said === undefined) {
    return told(
      `${addressOf(endpoint)} answers with HTTP ${status}, and not as a Ledgerline server does. Check LEDGERLINE_URL.`,
    );
  }
  return told([withStop(said), adviceOf(status, error!)].join(' ').trim());
}

function adviceOf(status: number, error: Readonly<Record<string, unknown>>): string {
  const { retry_after: retryAfter, resets_at: resetsAt, billing_url: billingUrl, doc_url: docUrl } = error;
  if (typeof retryAfter === 'number') return `Try again in ${retryAfter} seconds.`;
  if (typeof resetsAt === 'string') return `Try again after ${resetsAt}.`;
  if (status === 402 && typeof billingUrl === 'string') return `Buy credits at ${billingUrl}.`;
  return typeof docUrl === 'string' ? `What to do: ${docUrl}` : '';
}

/** What a connection that could not be made, or broke off, means to the client. */
export function connectionError(error: unknown, endpoint: URL): ProxyError {
  const reason = reasonOf(error);
  return {
    code: INTERNAL_ERROR,
    message: `${addressOf(endpoint)} cannot be reached (${reason}). Start the server, or correct LEDGERLINE_URL.`,
  };
}

export const tooLargeError = (): ProxyError => ({
  code: INTERNAL_ERROR,
  message: `The answer is larger than ${MAX_ANSWER_BYTES / 1024 / 1024} MiB. Ask for less, such as by limit.`,
});

export const brokenError = (isSubscription: boolean): ProxyError => ({
  code: INTERNAL_ERROR,
  message: isSubscription
    ? 'The connection to the server ended, and the subscription with it. Listen again.'
    : 'The connection to the server ended before its answer did. The request may have been carried out.',
});

/** Without what stands behind the question mark. */
const addressOf = ({ origin, pathname }: URL): string => `${origin}${pathname}`;

const withStop = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** `fetch` hides what happened in the cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { readonly cause?: { code?: unknown; message?: unknown }; message?: unknown };
  return String(cause?.code ?? cause?.message ?? message ?? error);
}
