import { type Meaning, type ReopenedParts, reopenedStream } from './reopened-stream.ts';
import type { SentEvent } from './sent-events.ts';

/** What the events of streams mean, by the client's method. */
const MEANINGS: Readonly<Record<string, (sent: SentEvent) => Meaning>> = {
  /** A snapshot, until the event is over. */
  streamScores: ({ event }) => (event === 'done' ? 'end' : event === 'score' ? 'item' : 'remark'),
  /** A change of any type, those of types to come too. A stream of hours in which nothing changes is none that fails. */
  streamChanges: ({ event }) => (event === 'ready' ? 'begun' : event === 'reconnect' ? 'remark' : 'item'),
};

/** What one method's stream gives: snapshots of a score, or changes. */
export async function* streamedItems(method: string, parts: ReopenedParts): AsyncGenerator<unknown, void, undefined> {
  for await (const { data } of reopenedStream(parts, MEANINGS[method]!)) yield JSON.parse(data);
}
