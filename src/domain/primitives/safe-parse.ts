import type { z } from 'zod';

/**
 * The library's checks of a length ask whatever has a member `length`, also what is no text and no list, and throw
 * where it cannot be compared. Undefined then: nothing well-formed has such a member in the place of a text or a list.
 * @param how `to the first issue`: where there are several, some of them may be left out, but never the first
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

/** What the library's own `validate` sets, and its types leave out. A list of many wrong items would have many issues, each
 *  of which is dear. */
const FIRST_ISSUE = { abortEarly: true } as object;
