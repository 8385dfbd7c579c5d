import type { FeedMessage } from '../domain/feed/messages.ts';
import type { Rejection } from '../domain/feed/rejection.ts';
import type { Outcome } from './intake.ts';

/** A message that was checked, or why it is none. */
export type Checked = { readonly line: number } & (
  | { readonly message: FeedMessage }
  | { readonly rejection: Rejection }
);

/** A message of the batch that is to be decided. */
export interface Open {
  readonly index: number;
  readonly line: number;
  readonly message: FeedMessage;
}

/**
 * A batch of messages, and what has become of each. A message counts as decided when all that it staged is in the
 * log; where another process has appended to one of its streams in between, it is decided again, and no other is.
 */
export class Batch {
  readonly #items: readonly Checked[];
  readonly #outcomes: (Outcome | undefined)[];
  /** The streams that were staged to for a message, until these are appended. */
  readonly #touched = new Map<number, readonly string[]>();
  /** Messages of which at least one record is in the log. */
  readonly #written = new Set<number>();

  constructor(items: readonly Checked[]) {
    this.#items = items;
    this.#outcomes = items.map((item) =>
      'rejection' in item ? { line: item.line, status: 'rejected', ...item.rejection } : undefined,
    );
  }

  /** What is to be decided, in the order of arrival. */
  open(): readonly Open[] {
    return this.#items.flatMap((item, index) =>
      'message' in item && this.#outcomes[index] === undefined ? [{ ...item, index }] : [],
    );
  }

  /** @param touched the streams that were staged to for this message */
  decided({ index, line }: Open, outcome: Outcome, touched: readonly string[]): void {
    // Of a message that is decided again a part may be known: it was written for this very message.
    const isNew = outcome.status === 'unchanged' && this.#written.has(index);
    this.#outcomes[index] = isNew ? { line, status: 'accepted' } : outcome;
    if (touched.length > 0) this.#touched.set(index, touched);
  }

  /** Everything that was staged is in the log, except for these streams. */
  appendedExcept(conflicts: ReadonlySet<string>): void {
    for (const [index, streams] of this.#touched) {
      const refused = streams.filter((stream) => conflicts.has(stream));
      if (refused.length < streams.length) this.#written.add(index);
      if (refused.length > 0) this.#outcomes[index] = undefined;
    }
    this.#touched.clear();
  }

  /** Nothing that was staged is in the log. What was decided without staging anything may hang on it, too. */
  reopen(open: readonly Open[]): void {
    for (const { index } of open) this.#outcomes[index] = undefined;
    this.#touched.clear();
  }

  /** In the order of arrival, once nothing is open. */
  outcomes(): readonly Outcome[] {
    return this.#outcomes.map((outcome) => outcome!);
  }
}
