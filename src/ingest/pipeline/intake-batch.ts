import type { FeedMessage } from '../../domain/feed/feed-messages.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import type { IntakeItem, Outcome } from '../intake/intake.ts';

/** A message that was checked, or why it is none. */
export type CheckedMessage = Pick<IntakeItem, 'line' | 'sparing' | 'isForgetful'> &
  ({ readonly message: FeedMessage } | { readonly rejection: Rejection });

/** A message of the batch that is to be decided. */
interface OpenMessage {
  readonly index: number;
  readonly line: number;
  readonly message: FeedMessage;
  /** See `IntakeItem`. */
  readonly sparing?: number;
  readonly isForgetful?: boolean;
}

/**
 * A batch of messages, and what has become of each. A message counts as decided when all that it staged is in the
 * log; where another process has appended to one of its streams in between, it is decided again, and no other is.
 */
export class IntakeBatch {
  readonly #items: readonly CheckedMessage[];
  readonly #outcomes: (Outcome | undefined)[];
  /** The streams that were staged to for a message, until these are appended. */
  readonly #touched = new Map<number, readonly string[]>();
  /** Messages of which at least one record is in the log. */
  readonly #written = new Set<number>();
  /** Messages that were parked since the last append, and the streams that were staged to for what was released since:
   *  what is parked and released before it is durable lives in these streams alone. */
  readonly #parked = new Map<number, Set<string>>();
  /** What became first of those that are decided again although they were parked. */
  readonly #before = new Map<number, Outcome>();

  constructor(items: readonly CheckedMessage[]) {
    this.#items = items;
    this.#outcomes = items.map((item) =>
      'rejection' in item ? { line: item.line, status: 'rejected', ...item.rejection } : undefined,
    );
  }

  /** What is to be decided, in the order of arrival. */
  openMessages(): readonly OpenMessage[] {
    return this.#items.flatMap((item, index) =>
      'message' in item && this.#outcomes[index] === undefined ? [{ ...item, index }] : [],
    );
  }

  /**
   * @param touched the streams that were staged to for this message
   * @param isParked it waits for something since now
   */
  markDecided({ index, line }: OpenMessage, outcome: Outcome, touched: readonly string[], isParked = false): void {
    this.#outcomes[index] = this.#asNew(index, line, outcome);
    if (touched.length > 0) this.#touched.set(index, touched);
    if (isParked) this.#parked.set(index, new Set());
  }

  /** Of a message that is decided again all or a part may be known: it was written for this very message. */
  #asNew(index: number, line: number, outcome: Outcome): Outcome {
    if (outcome.status !== 'unchanged') return outcome;
    if (this.#written.has(index)) return { line, status: 'accepted' };
    return this.#before.get(index) ?? outcome;
  }

  /** What waited was tried. @param touched the streams that were staged to for that */
  noteRetried(touched: readonly string[]): void {
    for (const streams of this.#parked.values()) for (const stream of touched) streams.add(stream);
  }

  /** Everything that was staged is in the log, except for these streams. */
  markAppendedExcept(conflicts: ReadonlySet<string>): void {
    for (const [index, streams] of this.#touched) {
      const refused = streams.filter((stream) => conflicts.has(stream));
      if (refused.length < streams.length) this.#written.add(index);
      if (refused.length > 0) this.#outcomes[index] = undefined;
    }
    for (const [index, streams] of this.#parked) {
      const outcome = this.#outcomes[index];
      if (!outcome || ![...streams].some((stream) => conflicts.has(stream))) continue;
      this.#before.set(index, outcome);
      this.#outcomes[index] = undefined;
    }
    this.#forget();
  }

  #forget(): void {
    this.#touched.clear();
    this.#parked.clear();
  }

  /** Nothing that was staged is in the log. What was decided without staging anything may hang on it, too. */
  reopen(openMessages: readonly OpenMessage[]): void {
    for (const { index } of openMessages) this.#outcomes[index] = undefined;
    this.#forget();
  }

  /** In the order of arrival, once nothing is open. */
  outcomes(): readonly Outcome[] {
    return this.#outcomes.map((outcome) => outcome!);
  }
}
