import type { z } from 'zod';

/**
 * Parses with zod; undefined if zod throws. Its length checks accept any value with a member `length`, not only texts
 * and lists, and throw when they cannot compare it. Such a value is never valid.
 * @param how `to the first issue`: later issues may be missing, but never the first
 */
export function safeParse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  how: 'whole' | 'to the first issue' = 'whole',
): z.ZodSafeParseResult<z.output<Schema>> | undefined {
  try {
    return how === 'whole' ? schema.safeParse(value) : schema.safeParse(value, FIRST_ISSUE);
  } catch {
    return undefined;
  }
}

/**
 * An option of zod that its types omit. A list with many wrong items would create many issues, each of which is
 * expensive.
 */
const FIRST_ISSUE = { abortEarly: true } as object;
