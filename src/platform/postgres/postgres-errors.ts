import { UnavailableError } from '../../domain/primitives/domain-errors.ts';

/** Classes of SQLSTATE: connections, resources (too many clients, a full disk), operator's doing (a shutdown). */
const UNAVAILABLE_CLASSES = new Set(['08', '53', '57', '58']);
/** Of a server that lets this process in no more or is another's copy, and of waits that were too long. */
const UNAVAILABLE_STATES = new Set(['28000', '28P01', '3D000', '25006', '25P03', '55P03']);
const RETRYABLE_STATES = new Set(['40001', '40P01']);
/** What the driver says without a code. */
const UNAVAILABLE_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/timeout/i, 'timeout'],
  [/connection|not queryable|client was closed/i, 'connection lost'],
];

const codeOf = (error: unknown): string | undefined => {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
};

const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code);

/** Of two transactions one was undone, by no fault of its own: it may be done again. */
export const isSerializationFailure = (error: unknown): boolean => RETRYABLE_STATES.has(codeOf(error) ?? '');

/** The server is there, and has ended a statement that took too long, or waited too long for a lock. */
export const isTimeout = (error: unknown): boolean => ['57014', '55P03'].includes(codeOf(error) ?? '');

/** What the driver has thrown, as callers shall see it: `RegistryAway` where the server is away. */
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
 * PostgreSQL refuses, hangs, or ends the connection. Whether what was sent took effect is not known. The reason is a
 * code: what servers and drivers write in words may name users and addresses.
 */
export class RegistryUnavailable extends UnavailableError {
  readonly engine = 'registry';
  constructor(reason: string) {
    super(`the registry is away (${reason})`, ASK_AGAIN_AFTER_SECONDS);
    this.name = 'RegistryUnavailable';
  }
}
