import { RegistryAway } from './registry-away.ts';

/** Classes of SQLSTATE: connections, resources (too many clients, a full disk), operator's doing (a shutdown). */
const AWAY_CLASSES = new Set(['08', '53', '57', '58']);
/** Of a server that lets this process in no more or is another's copy, and of waits that were too long. */
const AWAY_STATES = new Set(['28000', '28P01', '3D000', '25006', '25P03', '55P03']);
const AGAIN_STATES = new Set(['40001', '40P01']);
/** What the driver says without a code. */
const AWAY_TEXTS: readonly (readonly [RegExp, string])[] = [
  [/timeout/i, 'timeout'],
  [/connection|not queryable|client was closed/i, 'connection lost'],
];

const codeOf = (error: unknown): string | undefined => {
  const code = (error as { readonly code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : undefined;
};

const isSqlState = (code: string): boolean => /^[0-9A-Z]{5}$/.test(code);

/** Of two transactions one was undone, by no fault of its own: it may be done again. */
export const isUndone = (error: unknown): boolean => AGAIN_STATES.has(codeOf(error) ?? '');

/** The server is there, and has ended a statement that took too long, or waited too long for a lock. */
export const isGivenUp = (error: unknown): boolean => ['57014', '55P03'].includes(codeOf(error) ?? '');

/** Whether a change was refused because a row with these values, which may stand there once only, is there already. */
export const isAlreadyThere = (error: unknown): boolean => codeOf(error) === '23505';

/** What the driver has thrown, as callers shall see it: `RegistryAway` where the server is away. */
export function asRegistryError(error: unknown): unknown {
  if (error instanceof RegistryAway) return error;
  const code = codeOf(error);
  if (code !== undefined && isSqlState(code)) {
    return AWAY_CLASSES.has(code.slice(0, 2)) || AWAY_STATES.has(code) ? new RegistryAway(code) : error;
  }
  // A code of the system, such as ECONNREFUSED, or of TLS.
  if (code !== undefined && /^(?:E[A-Z]+|EAI_[A-Z]+|CERT_.*|.*_CERT.*|ERR_TLS.*|ERR_SSL.*)$/.test(code)) {
    return new RegistryAway(code);
  }
  const text = String((error as { readonly message?: unknown } | null)?.message);
  const found = AWAY_TEXTS.find(([pattern]) => pattern.test(text));
  return found ? new RegistryAway(found[1]) : error;
}
