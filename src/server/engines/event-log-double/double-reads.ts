import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { type ServerWritableStream, status } from '@grpc/grpc-js';
import type { ControlReader } from './double-control.ts';
import { isEngineError, streamDeleted, thrownByHandler, unknown, wrongPlaceOfSubscription } from './double-errors.ts';
import type { KindOfEngine } from './double-kind.ts';
import { caughtUp, confirmation, readEvent, streamNotFound, streamOf } from './double-messages.ts';
import type { DoubleRefusals } from './double-refusals.ts';
import type { DoubleStore, StoredEvent } from './double-store.ts';

/** Events in one read of the file. */
const PIECE = 200;

export type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

interface DoubleReads {
  readonly read: (call: ReadCall) => void;
  /** Drops all subscriptions, as the engine does with a reader that is too slow. */
  dropSubscriptions(): void;
  /** Lets the subscriptions of now stay open and silent, as at a node that is cut off from the others. */
  muteSubscriptions(): void;
}

interface DoubleReadsParts {
  readonly store: DoubleStore;
  readonly control: ControlReader;
  readonly refusals: DoubleRefusals;
  readonly kind: KindOfEngine;
}

/** A place in the whole log that the engine was asked for. */
interface Place {
  readonly commit: number;
  readonly prepare: number;
}

/** The protocol's call that reads: streams, the whole log, and subscriptions to the whole log. */
export function createDoubleReads({ store, control, refusals, kind }: DoubleReadsParts): DoubleReads {
  const drops = new Set<() => void>();
  const mutes = new Set<() => void>();

  async function readStream(reader: Reader, options: streams.ReadReq.Options, count: number): Promise<void> {
    const part = options.getStream()!;
    const stream = streamOf(part);
    const { last, first, isFinal } = store.stateOf(stream);
    if (isFinal) throw streamDeleted(stream);
    if (last < first) return reader.send(streamNotFound(stream));
    const isForwards = options.getReadDirection() === 0;
    const revision = part.hasRevision() ? Number.parseInt(part.getRevision(), 10) : undefined;
    let from = revision ?? (part.hasEnd() ? last : 0);
    // Backwards from beyond the end is backwards from the end.
    if (!isForwards) from = Math.min(from, last);
    for (let most = count; most > 0 && !reader.isOver; ) {
      const events = store.ofStream(stream, isForwards, from, Math.min(PIECE, most));
      for (const event of events) await reader.send(readEvent(event));
      if (events.length === 0) return;
      most -= events.length;
      from = events.at(-1)!.revision + (isForwards ? 1 : -1);
      if (from < 0) return;
    }
  }

  async function readAll(reader: Reader, options: streams.ReadReq.Options, count: number): Promise<void> {
    const isForwards = options.getReadDirection() === 0;
    const place = placeOf(options);
    const isKnown = place === undefined || isPlace(place, isForwards);
    if (!isKnown || (place && place.prepare > place.commit)) throw unknown(kind.wrongPlace);
    let from = place?.commit ?? (isForwards ? 0 : Number.MAX_SAFE_INTEGER);
    for (let most = count; most > 0 && !reader.isOver; ) {
      const events = store.ofAll(isForwards, from, Math.min(PIECE, most));
      for (const event of events) await reader.send(readEvent(event));
      if (events.length === 0) return;
      most -= events.length;
      from = events.at(-1)!.position + (isForwards ? 1 : 0);
    }
  }

  /** The engine reads at an offset of its file, and finds no event if none begins there. Behind the end it waits. */
  function isPlace({ commit }: Place, isForwards: boolean): boolean {
    return commit === 0 || store.has(commit) || (isForwards && commit > store.head());
  }

  function placeOf(options: streams.ReadReq.Options): Place | undefined {
    const position = options.getAll()!.getPosition();
    if (!position) return undefined;
    return {
      commit: Number.parseInt(position.getCommitPosition(), 10),
      prepare: Number.parseInt(position.getPreparePosition(), 10),
    };
  }

  async function subscribe(reader: Reader, options: streams.ReadReq.Options): Promise<void> {
    const all = options.getAll();
    if (!all || options.hasFilter()) {
      throw {
        code: status.UNIMPLEMENTED,
        details: 'this double has subscriptions to all streams alone, without filters',
      };
    }
    const confirm = () => reader.send(confirmation(crypto.randomUUID()));
    if (kind.confirmsFirst) await confirm();
    const asked = placeOf(options);
    let place = asked?.commit ?? (all.hasEnd() ? store.head() : 0);
    // Who begins at the end reads nothing first, and only that read asks for the leader.
    const refusal = all.hasEnd() ? undefined : refusals.ofNode(reader.call);
    if (refusal) throw refusal;
    const isWrong = asked && (!isPlace(asked, true) || control.happens('wrongPlaces'));
    if (isWrong) throw kind.confirmsFirst ? wrongPlaceOfSubscription : unknown(kind.wrongPlace);
    const leave = store.onCommitted(() => reader.wake());
    const drop = () => reader.fail({ code: status.ABORTED, details: 'the consumer is too slow' });
    let isMute = false;
    const mute = () => {
      isMute = true;
    };
    drops.add(drop);
    mutes.add(mute);
    try {
      if (!kind.confirmsFirst) await confirm();
      let isBehind = true;
      while (!reader.isOver) {
        const events: StoredEvent[] = store.ofAll(true, place + 1, PIECE);
        for (const event of events) await reader.send(readEvent(event));
        if (events.length > 0) {
          place = events.at(-1)!.position;
          continue;
        }
        if (isBehind && kind.tellsCaughtUp) await reader.send(caughtUp());
        isBehind = false;
        await reader.sleepUnless(() => !isMute && store.head() > place);
        while (isMute && !reader.isOver) await reader.sleepUnless(() => false);
      }
    } finally {
      leave();
      drops.delete(drop);
      mutes.delete(mute);
    }
  }

  async function answer(reader: Reader): Promise<void> {
    const options = reader.call.request.getOptions()!;
    const refusal = refusals.notReady() ?? refusals.ofUser(options.hasAll());
    if (refusal) throw refusal;
    if (options.hasSubscription()) return subscribe(reader, options);
    const ofNode = refusals.ofNode(reader.call);
    if (ofNode) throw ofNode;
    const count = Math.min(Number.parseInt(options.getCount(), 10), Number.MAX_SAFE_INTEGER);
    if (count === 0) {
      if (options.hasStream()) throw thrownByHandler;
      // The engine never answers a read of no events of the whole log.
      return;
    }
    await (options.hasStream() ? readStream(reader, options, count) : readAll(reader, options, count));
    reader.end();
  }

  return {
    read(call) {
      if (control.current.hang) return;
      const reader = createReader(call);
      answer(reader).catch((error: unknown) =>
        reader.fail(isEngineError(error) ? error : unknown((error as Error).message)),
      );
    },
    dropSubscriptions() {
      for (const drop of [...drops]) drop();
    },
    muteSubscriptions() {
      for (const mute of mutes) mute();
    },
  };
}

/** The other side of a call that reads. */
type Reader = ReturnType<typeof createReader>;

/** One listener for each event of the call, however long it reads. */
function createReader(call: ReadCall) {
  let isOver = false;
  let resume = (): void => {};
  const wake = (): void => resume();
  function finish(): void {
    isOver = true;
    wake();
  }
  call.on('drain', wake);
  call.on('cancelled', finish);
  call.on('close', finish);
  const sleep = (): Promise<void> =>
    new Promise((resolve) => {
      resume = resolve;
    });
  return {
    call,
    get isOver() {
      return isOver;
    },
    wake,
    async send(message: streams.ReadResp): Promise<void> {
      if (isOver || call.write(message)) return;
      // A commit wakes too, so look again.
      while (!isOver && call.writableNeedDrain) await sleep();
    },
    async sleepUnless(isNews: () => boolean): Promise<void> {
      if (!isOver && !isNews()) await sleep();
    },
    end(): void {
      if (!isOver) call.end();
    },
    fail(error: object): void {
      if (isOver || call.cancelled) return;
      call.emit('error', error);
      finish();
    },
  };
}
