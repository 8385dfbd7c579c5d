import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerDuplexStream, ServerReadableStream, ServerUnaryCall, sendUnaryData } from '@grpc/grpc-js';
import type { AppendAnswer, Expectation, ProposedEvent } from './decide-append.ts';
import { batchAnswer, batchExpectationOf } from './double-batch-messages.ts';
import type { ControlReader } from './double-control.ts';
import {
  type EngineError,
  isEngineError,
  streamDeleted,
  thrownByHandler,
  tooLarge,
  unknown,
  wrongVersion,
} from './double-errors.ts';
import { appendAnswer, expectationOf, proposedEvent, streamOf } from './double-messages.ts';
import type { DoubleRefusals } from './double-refusals.ts';
import type { DoubleStore, ProposedAppend } from './double-store.ts';

/** The engine's default limit of one append. */
const MAX_APPEND_BYTES = 1_048_576;
const UUID = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/i;

type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>;
type BatchCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;
type DeleteCall<Request> = ServerUnaryCall<Request, unknown>;
/** A request is answered with nothing if its answer is to be lost. */
type Answered<Answer> = Answer | undefined;

interface DoubleAppendsParts {
  readonly store: DoubleStore;
  readonly control: ControlReader;
  readonly refusals: DoubleRefusals;
}

/** The protocol's calls that write: append, append in batches, delete and tombstone. */
export function createDoubleAppends({ store, control, refusals }: DoubleAppendsParts) {
  function refuse(call: Parameters<DoubleRefusals['ofNode']>[0]): void {
    const refusal = refusals.notReady() ?? refusals.ofUser(false) ?? refusals.ofNode(call);
    if (refusal) throw refusal;
    if (control.happens('refuseAppends')) throw { code: 14, details: 'Server Is Not Ready' } satisfies EngineError;
  }

  async function append(proposed: ProposedAppend): Promise<Answered<AppendAnswer>> {
    const { stream, events } = proposed;
    if (stream === '' || events.some(({ id, type }) => type === '' || !UUID.test(id))) throw thrownByHandler;
    // The data alone count, not the metadata or the type.
    if (events.reduce((sum, { data }) => sum + data.length, 0) > MAX_APPEND_BYTES) throw tooLarge(MAX_APPEND_BYTES);
    if (store.stateOf(stream).isFinal) throw streamDeleted(stream);
    const result = await store.append(proposed);
    return control.happens('loseAnswers') ? undefined : result;
  }

  async function answerAppend(call: AppendCall): Promise<Answered<streams.AppendResp>> {
    let options: streams.AppendReq.Options | undefined;
    const events: ProposedEvent[] = [];
    for await (const request of call as AsyncIterable<streams.AppendReq>) {
      if (request.hasOptions()) options = request.getOptions();
      else events.push(proposedEvent(request.getProposedMessage()!));
    }
    if (!options || control.current.hang) return undefined;
    refuse(call);
    const expected = expectationOf(options);
    const result = await append({ stream: streamOf(options), expected, events });
    return result && appendAnswer(result, expected);
  }

  async function answerBatches(call: BatchCall): Promise<void> {
    /** The options and events of the appends whose last part has not come yet. */
    const open = new Map<
      string,
      { readonly options: streams.BatchAppendReq.Options; readonly events: ProposedEvent[] }
    >();
    for await (const request of call as AsyncIterable<streams.BatchAppendReq>) {
      const id = request.getCorrelationId()!;
      const key = id.getString();
      if (!open.has(key)) open.set(key, { options: request.getOptions()!, events: [] });
      const { options, events } = open.get(key)!;
      events.push(...request.getProposedMessagesList().map(proposedEvent));
      if (!request.getIsFinal()) continue;
      open.delete(key);
      if (control.current.hang) continue;
      refuse(call);
      const expected = batchExpectationOf(options);
      const result = await append({ stream: streamOf(options), expected, events }).catch(engineErrorOf);
      if (result) call.write(batchAnswer(id, options, expected, result));
    }
    call.end();
  }

  /** @returns the position of the deletion */
  function remove(
    call: DeleteCall<streams.DeleteReq> | DeleteCall<streams.TombstoneReq>,
    isFinal: boolean,
  ): Answered<string> {
    if (control.current.hang) return undefined;
    refuse(call);
    const options = call.request.getOptions()!;
    const stream = streamOf(options);
    const expected = expectationOf(options);
    const { last, isFinal: isGone } = store.stateOf(stream);
    if (isGone) throw streamDeleted(stream);
    if (!isAsExpected(expected, last)) throw wrongVersion(stream, numberOf(expected), last);
    return String(store.deleteStream(stream, isFinal));
  }

  return {
    append: (call: AppendCall, answer: sendUnaryData<streams.AppendResp>) =>
      void settle(() => answerAppend(call), answer),
    batchAppend: (call: BatchCall) =>
      void answerBatches(call).catch((error: unknown) => call.emit('error', engineErrorOf(error))),
    delete: (call: DeleteCall<streams.DeleteReq>, answer: sendUnaryData<streams.DeleteResp>) =>
      void settle(async () => {
        const { DeleteResp } = streams;
        const at = remove(call, false);
        return (
          at && new DeleteResp().setPosition(new DeleteResp.Position().setCommitPosition(at).setPreparePosition(at))
        );
      }, answer),
    tombstone: (call: DeleteCall<streams.TombstoneReq>, answer: sendUnaryData<streams.TombstoneResp>) =>
      void settle(async () => {
        const { TombstoneResp } = streams;
        const at = remove(call, true);
        return (
          at &&
          new TombstoneResp().setPosition(new TombstoneResp.Position().setCommitPosition(at).setPreparePosition(at))
        );
      }, answer),
  };
}

async function settle<Answer>(
  work: () => Promise<Answered<Answer> | ''>,
  answer: sendUnaryData<Answer>,
): Promise<void> {
  try {
    const result = await work();
    if (result) answer(null, result);
  } catch (error) {
    answer(engineErrorOf(error));
  }
}

const engineErrorOf = (error: unknown): EngineError =>
  isEngineError(error) ? error : unknown((error as Error).message);

function isAsExpected(expected: Expectation, last: number): boolean {
  if (expected === 'any') return true;
  if (expected === 'stream-exists') return last >= 0;
  return last === numberOf(expected);
}

/** An expectation as the engine writes it. */
function numberOf(expected: Expectation): number {
  if (typeof expected === 'number') return expected;
  return { any: -2, 'no-stream': -1, 'stream-exists': -4 }[expected];
}
