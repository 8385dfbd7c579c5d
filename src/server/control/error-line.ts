import { describeFileLimit } from '../bin/explain.mjs';

/** One line for an error that the operator may have caused or must know; a stack trace only for a fault of the program. */
export function errorLine(error: unknown): string {
  const { message, code, stack } = error as Error & { code?: unknown };
  if (typeof code !== 'string') return stack ?? String(error);
  return `${message.split('\n')[0]!}${describeFileLimit(error)}`;
}
