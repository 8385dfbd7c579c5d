import { once } from 'node:events';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  Metadata,
  type ServerReadableStream,
  type ServerWritableStream,
  type sendUnaryData,
  status,
} from '@grpc/grpc-js';
import type { ControlReader } from './double-control.ts';
import {
  appendAnswer,
  caughtUp,
  confirmation,
  expectationOf,
  proposedEvent,
  readEvent,
  streamNotFound,
  streamOf,
} from './double-messages.ts';
import type { DoubleStore, ProposedEvent, StoredEvent } from './double-store.ts';

/** The engine's default limit of one append. */
const MOST_APPEND_BYTES = 1_048_576;
/** Events in one read of the file. */
const PIECE = 200;

type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;
type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>;
type Answer = sendUnaryData<streams.AppendResp>;

export interface DoubleStreams {
  readonly read: (call: ReadCall) => void;
  readonly append: (call: AppendCall, answer: Answer) => void;
  /** Drops a reader that is too slow, as the engine does. */
  dropSubscriptions(): void;
}

/** The protocol's calls for streams: read and append. */
export function createDoubleStreams(store: DoubleStore, control: ControlReader): DoubleStreams {
  const drops = new Set<() => void>();

  async function send(call: ReadCall, message: streams.ReadResp): Promise<void> {
    if (!call.write(message) && !call.cancelled) await Promise.race([once(call, 'drain'), once(call, 'cancelled')]);
  }

  async function readStream(call: ReadCall, options: streams.ReadReq.Options, left: number): Promise<void> {
    const part = options.getStream()!;
    const stream = streamOf(part);
    const last = store.lastRevision(stream);
    if (last === -1) return void (await send(call, streamNotFound(stream)));
    const isForwards = options.getReadDirection() === 0;
    const revision = part.hasRevision() ? Number.parseInt(part.getRevision(), 10) : undefined;
    let from = revision ?? (part.hasEnd() ? last : 0);
    // Reading backwards from beyond the end, the engine returns the wanted revisions that exist.
    let most = isForwards ? left : Math.min(left, left - (from - last));
    while (most > 0 && !call.cancelled) {
      const events = store.ofStream(stream, isForwards, from, Math.min(PIECE, most));
      for (const event of events) await send(call, readEvent(event));
      if (events.length === 0) return;
      most -= events.length;
      from = events.at(-1)!.revision + (isForwards ? 1 : -1);
      if (from < 0) return;
    }
  }

  async function readAll(call: ReadCall, options: streams.ReadReq.Options, left: number): Promise<void> {
    const isForwards = options.getReadDirection() === 0;
    let from = placeOf(options);
    assertPlace(from);
    for (let most = left; most > 0 && !call.cancelled; ) {
      const events = store.ofAll(isForwards, from, Math.min(PIECE, most));
      for (const event of events) await send(call, readEvent(event));
      if (events.length === 0) return;
      most -= events.length;
      from = events.at(-1)!.position + (isForwards ? 1 : 0);
    }
  }

  /** The engine reads at an offset of its file, and finds no event if none begins there. */
  function assertPlace(from: number): void {
    if (from > 0 && from <= store.head() && !store.has(from)) {
      throw Object.assign(new Error(`no event begins at ${from}`), { code: status.INVALID_ARGUMENT });
    }
  }

  function placeOf(options: streams.ReadReq.Options): number {
    const all = options.getAll()!;
    if (all.hasPosition()) return Number.parseInt(all.getPosition()!.getCommitPosition(), 10);
    return all.hasEnd() ? Number.MAX_SAFE_INTEGER : 0;
  }

  async function subscribe(call: ReadCall, options: streams.ReadReq.Options): Promise<void> {
    if (!options.hasAll() || options.hasFilter()) {
      const details = 'this double has subscriptions to all streams alone, without filters';
      throw Object.assign(new Error(details), { code: status.UNIMPLEMENTED });
    }
    let place = options.getAll()!.hasEnd() ? store.head() : placeOf(options);
    assertPlace(place);
    let wake = (): void => {};
    const leave = store.onCommitted(() => wake());
    const drop = () => {
      call.emit('error', { code: status.ABORTED, details: 'the consumer is too slow' });
      call.cancelled = true;
      wake();
    };
    drops.add(drop);
    call.on('cancelled', () => wake());
    try {
      await send(call, confirmation(crypto.randomUUID()));
      let isBehind = true;
      while (!call.cancelled) {
        const events: StoredEvent[] = store.ofAll(true, place + 1, PIECE);
        for (const event of events) await send(call, readEvent(event));
        if (events.length > 0) {
          place = events.at(-1)!.position;
          continue;
        }
        if (isBehind) await send(call, caughtUp());
        isBehind = false;
        await new Promise<void>((resolve) => {
          wake = resolve;
          if (call.cancelled || store.head() > place) resolve();
        });
      }
    } finally {
      leave();
      drops.delete(drop);
    }
  }

  async function answerRead(call: ReadCall): Promise<void> {
    if (control.current.hang) return;
    try {
      if (control.happens('notLeader')) throw notLeader(control);
      const options = call.request.getOptions()!;
      if (options.hasSubscription()) return await subscribe(call, options);
      const left = Math.min(Number.parseInt(options.getCount(), 10), Number.MAX_SAFE_INTEGER);
      await (options.hasStream() ? readStream(call, options, left) : readAll(call, options, left));
      call.end();
    } catch (error) {
      if (!call.cancelled) call.emit('error', error);
    }
  }

  async function answerAppend(call: AppendCall, answer: Answer): Promise<void> {
    let options: streams.AppendReq.Options | undefined;
    const events: ProposedEvent[] = [];
    for await (const request of call as AsyncIterable<streams.AppendReq>) {
      if (request.hasOptions()) options = request.getOptions();
      else events.push(proposedEvent(request.getProposedMessage()!));
    }
    if (!options || control.current.hang) return;
    if (control.happens('notLeader')) return answer(notLeader(control));
    if (control.happens('refuseAppends')) return answer({ code: status.UNAVAILABLE, details: 'Server Is Not Ready' });
    const bytes = events.reduce(
      (sum, { data, metadata, type }) => sum + data.length + metadata.length + 2 * type.length,
      0,
    );
    if (bytes > MOST_APPEND_BYTES) return answer(tooLarge());
    const expected = expectationOf(options);
    const result = await store.append({ stream: streamOf(options), expected, events });
    if (!control.happens('loseAnswers')) answer(null, appendAnswer(result, expected));
  }

  return {
    read: (call) => void answerRead(call),
    append(call, answer) {
      answerAppend(call, answer).catch((error: Error) => answer({ code: status.UNKNOWN, details: error.message }));
    },
    dropSubscriptions() {
      for (const drop of [...drops]) drop();
    },
  };
}

function exception(name: string, facts: Readonly<Record<string, string>>): Metadata {
  const metadata = new Metadata();
  metadata.set('exception', name);
  for (const [key, value] of Object.entries(facts)) metadata.set(key, value);
  return metadata;
}

function notLeader(control: ControlReader) {
  const { host, port } = control.current.notLeader!;
  const metadata = exception('not-leader', { 'leader-endpoint-host': host, 'leader-endpoint-port': String(port) });
  return { code: status.NOT_FOUND, details: 'Leader info available', metadata };
}

function tooLarge() {
  const details = `Maximum Append Size of ${MOST_APPEND_BYTES} Exceeded.`;
  const metadata = exception('maximum-append-size-exceeded', { 'maximum-append-size': String(MOST_APPEND_BYTES) });
  return { code: status.INVALID_ARGUMENT, details, metadata };
}
