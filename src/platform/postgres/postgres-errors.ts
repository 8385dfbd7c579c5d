import { UnavailableError } from '../../domain/primitives/domain-errors.ts';

/** Classes of SQLSTATE: connections, resources (too many clients, full disk), operator intervention (shutdown). */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57', '58']);
/** States of a server that refuses this process or is a standby, and of waits that took too long. */
const UNAVAILABLE_STATES = new Set(['28000', '28P01', '3D000', '25006', '25P03', '55P03']);
const RETRYABLE_STATES = new Set(['40001', '40P01']);
/** Errors of the driver without a code. */
const UNAVAILABLE_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/timeout/i, 'timeout'],
  [/connection|not queryable|client was closed/i, 'connection lost'],
];

const codeOf = (error: unknown): string | undefined => {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
};

const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code);

/** The transaction was rolled back because of another one, and may be repeated. */
export const isSerializationFailure = (error: unknown): boolean => RETRYABLE_STATES.has(codeOf(error) ?? '');

/** The server is available, but a statement or the wait for a lock took too long. */
export const isTimeout = (error: unknown): boolean => ['57014', '55P03'].includes(codeOf(error) ?? '');

/** Converts an error of the driver for callers: `RegistryUnavailable` if the server is unavailable. */
export function toRegistryError(error: unknown): unknown {
  if (error instanceof RegistryUnavailable) return error;
  const code = codeOf(error);
  if (code !== undefined && isSqlState(code)) {
    return UNAVAILABLE_CLASSES.has(code.slice(0, 2)) || UNAVAILABLE_STATES.has(code)
      ? new RegistryUnavailable(code)
      : error;
  }
  // A code of the system, such as ECONNREFUSED, or of TLS.
  if (code !== undefined && /^(?:E[A-Z]+|EAI_[A-Z]+|CERT_.*|.*_CERT.*|ERR_TLS.*|ERR_SSL.*)$/.test(code)) {
    return new RegistryUnavailable(code);
  }
  const text = String((error as { readonly message?: unknown } | null)?.message);
  const found = UNAVAILABLE_TEXTS.find(([pattern]) => pattern.test(text));
  return found ? new RegistryUnavailable(found[1]) : error;
}

const ASK_AGAIN_AFTER_SECONDS = 2;

/**
 * PostgreSQL refuses, hangs, or closes the connection. It is unknown whether the statement took effect. The reason is
 * only a code, since messages of servers and drivers may contain users and addresses.
 */
export class RegistryUnavailable extends UnavailableError {
  readonly engine = 'registry';
  constructor(reason: string) {
    super(`the registry is away (${reason})`, ASK_AGAIN_AFTER_SECONDS);
    this.name = 'RegistryUnavailable';
  }
}
