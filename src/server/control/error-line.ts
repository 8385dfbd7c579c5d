/** One line for an error that the operator may have caused or must know; a stack trace only for a fault of the program. */
export function errorLine(error: unknown): string {
  const { message, code, stack } = error as Error & { code?: unknown };
  return typeof code === 'string' ? message.split('\n')[0]! : (stack ?? String(error));
}
