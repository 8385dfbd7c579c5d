import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { RecordMessage } from './record-message.ts';

/** What comes next of a partition: a message; or nothing yet, since what lies before the next one has not come. */
type NextMessage =
  | { readonly message: RecordMessage }
  | { readonly missingTo: Position; readonly isCertain: boolean }
  | undefined;

/**
 * One partition of the feed, which comes in several topics, in the order of the log. Each message tells what comes
 * before it, so that it is known to be next whatever the other topics bring, and so that nothing is passed over that
 * has not come, or will never come.
 */
export class MergedPartition {
  readonly #queues: RecordMessage[][];
  #bytes = 0;
  #size = 0;
  /** Everything up to here has been taken, or was never wanted. */
  position: Position | null;

  constructor(topics: number, place: Position | null) {
    this.#queues = Array.from({ length: topics }, () => []);
    this.position = place;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Messages that wait. */
  get size(): number {
    return this.#size;
  }

  bytesOf(topic: number): number {
    return this.#queues[topic]!.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  push(topic: number, messages: readonly RecordMessage[]): void {
    for (const message of messages) {
      if (!isBefore(this.position, message.position)) continue;
      this.#queues[topic]!.push(message);
      this.#bytes += message.bytes;
      this.#size++;
    }
  }

  peek(): NextMessage {
    this.#passOver();
    let first: RecordMessage | undefined;
    for (const [head] of this.#queues) if (head && (!first || head.position < first.position)) first = head;
    if (!first) return undefined;
    const { previous, position, isMarker } = first;
    if (previous !== null && isBefore(this.position, previous)) {
      return { missingTo: previous, isCertain: isMarker && previous === position };
    }
    return { message: first };
  }

  /** The message that `peek` gave. */
  removeFirst(): void {
    const next = this.peek();
    if (!next || !('message' in next)) return;
    this.#drop(this.#queues.find(([head]) => head === next.message)!);
    this.position = next.message.position;
  }

  /** What has been had by another way. */
  #passOver(): void {
    for (const queue of this.#queues) while (queue[0] && !isBefore(this.position, queue[0].position)) this.#drop(queue);
  }

  #drop(queue: RecordMessage[]): void {
    this.#bytes -= queue.shift()!.bytes;
    this.#size--;
  }
}
