export type DeliveryError =
  /** No complete answer within the deadline, which includes the lookup. */
  | 'timeout'
  | 'connection_refused'
  | 'connection_reset'
  | 'unreachable'
  | 'tls'
  /** The name has no address. */
  | 'dns'
  /** The account has no verified address any more, or another one. */
  | 'no_address'
  /** The URL, or an address of its name, is forbidden. */
  | 'forbidden_address'
  /** The answer is not HTTP. */
  | 'invalid_answer'
  /** This server could not make the request. */
  | 'not_sent'
  /** This server stops. */
  | 'closed';

export type DeliveryOutcome =
  /**
   * @property retryAfter whole seconds from now, if the answer asked for a wait
   * @property body the JSON of a 429, where services say how long to wait
   */
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter?: number; readonly body?: string }
  | { readonly kind: 'failed'; readonly error: DeliveryError; readonly message: string };

/** What came of a message: of a request, or of a mail that was stored to be sent. */
export type SentOutcome = DeliveryOutcome | { readonly kind: 'mailed' };

export const failedDelivery = (error: DeliveryError, message: string): DeliveryOutcome => ({
  kind: 'failed',
  error,
  message,
});

const SYSTEM_ERRORS: Readonly<Record<string, readonly [DeliveryError, string]>> = {
  ECONNREFUSED: ['connection_refused', 'the connection was refused'],
  ECONNRESET: ['connection_reset', 'the connection was closed before the answer was complete'],
  ECONNABORTED: ['connection_reset', 'the connection was closed before the answer was complete'],
  EPIPE: ['connection_reset', 'the connection was closed before the answer was complete'],
  ETIMEDOUT: ['timeout', 'no connection came about in time'],
  EHOSTUNREACH: ['unreachable', 'the host cannot be reached from here'],
  EHOSTDOWN: ['unreachable', 'the host cannot be reached from here'],
  ENETUNREACH: ['unreachable', 'the network of the host cannot be reached from here'],
  ENETDOWN: ['unreachable', 'the network of the host cannot be reached from here'],
  EADDRNOTAVAIL: ['unreachable', 'the host cannot be reached from here'],
  EACCES: ['unreachable', 'the host cannot be reached from here'],
  EPERM: ['unreachable', 'the host cannot be reached from here'],
  EMFILE: ['not_sent', 'this server has no connection to spare'],
  ENFILE: ['not_sent', 'this server has no connection to spare'],
};

/**
 * The outcome of a failed exchange. Node's own messages contain addresses and file names, so they are replaced.
 * @param secure by TLS
 */
export function classifyFailure(error: NodeJS.ErrnoException, endpoint: string, secure: boolean): DeliveryOutcome {
  const code = error.code ?? '';
  const known = SYSTEM_ERRORS[code];
  if (known) return failedDelivery(known[0], `${endpoint}: ${known[1]}`);
  if (/^(HPE_|ERR_HTTP|ERR_STREAM)/.test(code))
    return failedDelivery('invalid_answer', `${endpoint}: the answer is not valid HTTP`);
  // OpenSSL has a code for each certificate error, and one for each alert.
  if (secure) return failedDelivery('tls', `${endpoint}: ${describeTlsError(error, code)}`);
  return failedDelivery('connection_reset', `${endpoint}: the connection failed (${code || 'unknown'})`);
}

function describeTlsError(error: NodeJS.ErrnoException & { readonly reason?: unknown }, code: string): string {
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return 'the certificate is for another host';
  const reason = typeof error.reason === 'string' ? error.reason : code.replace(/^ERR_(SSL|TLS)_/, '');
  return `TLS failed: ${reason.replaceAll('_', ' ').toLowerCase()}`;
}
