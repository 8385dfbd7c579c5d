/** Whether a change was refused because a row with these values, which may stand there once only, is there already. */
export const isAlreadyThere = (error: unknown): boolean =>
  /^(?:SQLITE_CONSTRAINT_(?:UNIQUE|PRIMARYKEY)|23505)$/.test(
    String((error as { readonly code?: unknown } | null)?.code),
  );
