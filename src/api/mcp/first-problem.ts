import type { ZodError } from 'zod';

/** The first error, with its path. */
export function firstProblemOf({ issues }: Pick<ZodError, 'issues'>): string {
  const { path, message } = issues[0]!;
  return `${path.map(String).join('.')}: ${message}`;
}
