import type { FeedMessage } from '../../domain/feed/feed-messages.ts';
import type { Rejection } from '../../domain/feed/rejection.ts';
import type { IntakeItem, Outcome } from '../intake/intake.ts';

/** A checked message, or why it was rejected. */
export type CheckedMessage = Pick<IntakeItem, 'line' | 'throttleMs' | 'senderForgets'> &
  ({ readonly message: FeedMessage } | { readonly rejection: Rejection });

/** A message of the batch that still needs a decision. */
interface OpenMessage {
  readonly index: number;
  readonly line: number;
  readonly message: FeedMessage;
  /** See `IntakeItem`. */
  readonly throttleMs?: number;
  readonly senderForgets?: boolean;
}

/**
 * A batch of messages with the outcome of each. A message counts as decided once everything that it staged is in the
 * log. If another process has appended to one of its streams first, this message is decided again, and no other.
 */
export class IntakeBatch {
  readonly #items: readonly CheckedMessage[];
  readonly #outcomes: (Outcome | undefined)[];
  /** The streams to which a message staged events, until they are appended. */
  readonly #stagedStreams = new Map<number, readonly string[]>();
  /** Messages with at least one record in the log. */
  readonly #written = new Set<number>();
  /**
   * Messages that were quarantined since the last append, each with the streams to which retries have staged since. If
   * a message was quarantined and released before an append, only these streams hold its result.
   */
  readonly #newlyQuarantined = new Map<number, Set<string>>();
  /** The first outcomes of messages that are decided again although they were quarantined. */
  readonly #firstOutcomes = new Map<number, Outcome>();

  constructor(items: readonly CheckedMessage[]) {
    this.#items = items;
    this.#outcomes = items.map((item) =>
      'rejection' in item ? { line: item.line, status: 'rejected', ...item.rejection } : undefined,
    );
  }

  /** Messages without a decision, in the order of arrival. */
  openMessages(): readonly OpenMessage[] {
    return this.#items.flatMap((item, index) =>
      'message' in item && this.#outcomes[index] === undefined ? [{ ...item, index }] : [],
    );
  }

  /**
   * @param stagedStreams the streams to which this message staged events
   * @param isNewlyQuarantined the message was put into quarantine just now
   */
  markDecided(
    { index, line }: OpenMessage,
    outcome: Outcome,
    stagedStreams: readonly string[],
    isNewlyQuarantined = false,
  ): void {
    this.#outcomes[index] = this.#outcomeOfRepeat(index, line, outcome);
    if (stagedStreams.length > 0) this.#stagedStreams.set(index, stagedStreams);
    if (isNewlyQuarantined) this.#newlyQuarantined.set(index, new Set());
  }

  /** When a message is decided again, all or a part of it may be in the log already because of the message itself. */
  #outcomeOfRepeat(index: number, line: number, outcome: Outcome): Outcome {
    if (outcome.status !== 'unchanged') return outcome;
    if (this.#written.has(index)) return { line, status: 'accepted' };
    return this.#firstOutcomes.get(index) ?? outcome;
  }

  /**
   * Quarantined messages were retried.
   * @param stagedStreams the streams to which the retries staged events
   */
  noteRetried(stagedStreams: readonly string[]): void {
    for (const streams of this.#newlyQuarantined.values()) for (const stream of stagedStreams) streams.add(stream);
  }

  /** All staged events are in the log, except those of these streams. */
  markAppendedExcept(conflicts: ReadonlySet<string>): void {
    for (const [index, streams] of this.#stagedStreams) {
      const conflicting = streams.filter((stream) => conflicts.has(stream));
      if (conflicting.length < streams.length) this.#written.add(index);
      if (conflicting.length > 0) this.#outcomes[index] = undefined;
    }
    for (const [index, streams] of this.#newlyQuarantined) {
      const outcome = this.#outcomes[index];
      if (!outcome || ![...streams].some((stream) => conflicts.has(stream))) continue;
      this.#firstOutcomes.set(index, outcome);
      this.#outcomes[index] = undefined;
    }
    this.#forget();
  }

  #forget(): void {
    this.#stagedStreams.clear();
    this.#newlyQuarantined.clear();
  }

  /**
   * No staged event is in the log. Decisions that staged nothing may depend on the staged events too, so all are open
   * again.
   */
  reopen(openMessages: readonly OpenMessage[]): void {
    for (const { index } of openMessages) this.#outcomes[index] = undefined;
    this.#forget();
  }

  /** Outcomes in the order of arrival. Call it once no message is open. */
  outcomes(): readonly Outcome[] {
    return this.#outcomes.map((outcome) => outcome!);
  }
}
