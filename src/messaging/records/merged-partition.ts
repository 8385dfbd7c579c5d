import { isBefore, type Position } from '../../domain/event-sourcing/position.ts';
import type { RecordMessage } from './record-message.ts';

/**
 * The next message of a partition. `missingTo`: records up to that position must come before the next message, but have
 * not come. Undefined: no message has come.
 */
type NextMessage =
  | { readonly message: RecordMessage }
  | { readonly missingTo: Position; readonly isCertain: boolean }
  | undefined;

/**
 * Merges one partition of the feed, whose messages come in several topics, into the order of the log.
 * Each message names the position before it. So a message is known to be the next one, whatever the other topics bring.
 * And a record that is late, or will never come, is not skipped.
 */
export class MergedPartition {
  readonly #queues: RecordMessage[][];
  #bytes = 0;
  #size = 0;
  /** All records up to here were taken, or come before the start. */
  position: Position | null;

  constructor(topics: number, position: Position | null) {
    this.#queues = Array.from({ length: topics }, () => []);
    this.position = position;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** The number of queued messages. */
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
    this.#dropRead();
    let first: RecordMessage | undefined;
    for (const [head] of this.#queues) if (head && (!first || head.position < first.position)) first = head;
    if (!first) return undefined;
    const { previous, position, isMarker } = first;
    if (previous !== null && isBefore(this.position, previous)) {
      return { missingTo: previous, isCertain: isMarker && previous === position };
    }
    return { message: first };
  }

  /** Removes the message that `peek` returned. */
  removeFirst(): void {
    const next = this.peek();
    if (!next || !('message' in next)) return;
    this.#drop(this.#queues.find(([head]) => head === next.message)!);
    this.position = next.message.position;
  }

  /** Drops messages whose records came from the log. */
  #dropRead(): void {
    for (const queue of this.#queues) while (queue[0] && !isBefore(this.position, queue[0].position)) this.#drop(queue);
  }

  #drop(queue: RecordMessage[]): void {
    this.#bytes -= queue.shift()!.bytes;
    this.#size--;
  }
}
