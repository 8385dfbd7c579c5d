import shared from '@eventstore/db-client/generated/shared_pb.js';
import rpc from '@eventstore/db-client/generated/status_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import any from 'google-protobuf/google/protobuf/any_pb.js';
import empty from 'google-protobuf/google/protobuf/empty_pb.js';
import type { AppendAnswer, Expectation } from './decide-append.ts';
import type { EngineError } from './double-errors.ts';

type BatchOptions = streams.BatchAppendReq.Options;

export function batchExpectationOf(options: BatchOptions): Expectation {
  if (options.hasStreamPosition()) return Number.parseInt(options.getStreamPosition(), 10);
  if (options.hasNoStream()) return 'no-stream';
  return options.hasStreamExists() ? 'stream-exists' : 'any';
}

export function batchAnswer(
  id: shared.UUID,
  options: BatchOptions,
  expected: Expectation,
  result: AppendAnswer | EngineError,
): streams.BatchAppendResp {
  const answer = new streams.BatchAppendResp().setCorrelationId(id);
  answer.setStreamIdentifier(options.getStreamIdentifier());
  if (!('ok' in result)) return answer.setError(errorOf(result));
  if (!result.ok) return answer.setError(wrongVersion(result.current, expected));
  const place = String(result.position);
  return answer.setSuccess(
    new streams.BatchAppendResp.Success()
      .setCurrentRevision(String(Math.max(0, result.revision)))
      .setPosition(new shared.AllStreamPosition().setCommitPosition(place).setPreparePosition(place)),
  );
}

/** In batches the cause of an error is a message of its own, not metadata. */
function errorOf({ code, details, metadata }: EngineError): rpc.Status {
  const cause = metadata?.get('exception')[0];
  const most = metadata?.get('maximum-append-size')[0];
  if (cause === 'maximum-append-size-exceeded')
    return statusOf(
      code,
      details,
      'MaximumAppendSizeExceeded',
      new shared.MaximumAppendSizeExceeded().setMaxappendsize(Number(most)),
    );
  if (cause === 'stream-deleted') return statusOf(code, details, 'StreamDeleted', new shared.StreamDeleted());
  if (cause === 'access-denied') return statusOf(code, details, 'AccessDenied', new shared.AccessDenied());
  return statusOf(code, details, 'Unknown', new shared.Unknown());
}

function wrongVersion(current: number, expected: Expectation): rpc.Status {
  const wrong = new shared.WrongExpectedVersion();
  if (current === -1) wrong.setCurrentNoStream(new empty.Empty());
  else wrong.setCurrentStreamRevision(String(current));
  if (expected === 'any') wrong.setExpectedAny(new empty.Empty());
  else if (expected === 'no-stream') wrong.setExpectedNoStream(new empty.Empty());
  else if (expected === 'stream-exists') wrong.setExpectedStreamExists(new empty.Empty());
  else wrong.setExpectedStreamPosition(String(expected));
  return statusOf(status.FAILED_PRECONDITION, 'WrongExpectedVersion', 'WrongExpectedVersion', wrong);
}

function statusOf(code: number, message: string, type: string, cause: { serializeBinary(): Uint8Array }): rpc.Status {
  const details = new any.Any();
  details.pack(cause.serializeBinary(), `event_store.client.${type}`);
  return new rpc.Status().setCode(code).setMessage(message).setDetails(details);
}
