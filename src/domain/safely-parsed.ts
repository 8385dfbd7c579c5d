import type { z } from 'zod';

/**
 * The library's checks of a length ask whatever has a member `length`, also what is no text and no list, and throw
 * where it cannot be compared. Undefined then: nothing well-formed has such a member in the place of a text or a list.
 */
export function safelyParsed<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
): z.ZodSafeParseResult<z.output<Schema>> | undefined {
  try {
    return schema.safeParse(value);
  } catch {
    return undefined;
  }
}
