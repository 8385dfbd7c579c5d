/** What one check of `doctor` has found. */
export interface Finding {
  /** The name of the check, one word. */
  readonly check: string;
  /** `failed`: it stands in the way of a start, or of the work after it. */
  readonly status: 'ok' | 'warning' | 'failed';
  /** One line: what was found. */
  readonly says: string;
  /** One line: what to do about it; null: nothing. */
  readonly todo: string | null;
}

export const ok = (check: string, says: string): Finding => ({ check, status: 'ok', says, todo: null });
export const warning = (check: string, says: string, todo: string): Finding => ({
  check,
  status: 'warning',
  says,
  todo,
});
export const failed = (check: string, says: string, todo: string): Finding => ({ check, status: 'failed', says, todo });

/** The first line of an error's message. */
export const lineOf = (error: unknown): string => (error as Error).message.split('\n', 1)[0]!;
