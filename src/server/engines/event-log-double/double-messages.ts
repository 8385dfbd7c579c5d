import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { AppendAnswer, Expectation, ProposedEvent } from './decide-append.ts';
import type { StoredEvent } from './double-store.ts';

type AppendOptions = streams.AppendReq.Options;

/** The engine's time units in a millisecond. */
const TICKS = 10_000n;
const { ReadResp, AppendResp } = streams;

export function readEvent(event: StoredEvent): streams.ReadResp {
  const recorded = new ReadResp.ReadEvent.RecordedEvent();
  const place = String(event.position);
  recorded.setId(new shared.UUID().setString(event.id));
  recorded.setStreamIdentifier(identifierOf(event.stream));
  recorded.setStreamRevision(String(event.revision));
  recorded.setCommitPosition(place);
  recorded.setPreparePosition(place);
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.contentType)
    .set('created', String(BigInt(event.created) * TICKS));
  recorded.setCustomMetadata(event.metadata);
  recorded.setData(event.data);
  return new ReadResp().setEvent(new ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(place));
}

export function streamNotFound(stream: string): streams.ReadResp {
  return new ReadResp().setStreamNotFound(new ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(stream)));
}

export function confirmation(id: string): streams.ReadResp {
  return new ReadResp().setConfirmation(new ReadResp.SubscriptionConfirmation().setSubscriptionId(id));
}

export const caughtUp = (): streams.ReadResp => new ReadResp().setCaughtUp(new ReadResp.CaughtUp());

export function proposedEvent(
  message: streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage,
): ProposedEvent {
  const facts = message.getMetadataMap();
  return {
    id: message.getId()?.getString() ?? '',
    type: facts.get('type') ?? '',
    contentType: facts.get('content-type') ?? 'application/octet-stream',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  };
}

export const streamOf = (options: { getStreamIdentifier(): shared.StreamIdentifier | undefined }): string =>
  Buffer.from(options.getStreamIdentifier()?.getStreamName_asU8() ?? []).toString('utf8');

/** The revision that a delete or an append expects. */
export function expectationOf(
  options: AppendOptions | streams.DeleteReq.Options | streams.TombstoneReq.Options,
): Expectation {
  if (options.hasRevision()) return Number.parseInt(options.getRevision(), 10);
  if (options.hasNoStream()) return 'no-stream';
  return options.hasStreamExists() ? 'stream-exists' : 'any';
}

export function appendAnswer(answer: AppendAnswer, expected: Expectation): streams.AppendResp {
  if (!answer.ok) return new AppendResp().setWrongExpectedVersion(wrongVersion(answer.current, expected));
  // The engine tells 0 where nothing is appended to no stream.
  const success = new AppendResp.Success().setCurrentRevision(String(Math.max(0, answer.revision)));
  const place = String(answer.position);
  const position = new AppendResp.Position().setCommitPosition(place).setPreparePosition(place);
  return new AppendResp().setSuccess(success.setPosition(position));
}

function wrongVersion(current: number, expected: Expectation): streams.AppendResp.WrongExpectedVersion {
  const wrong = new AppendResp.WrongExpectedVersion();
  if (current === -1) wrong.setCurrentNoStream(new shared.Empty());
  else wrong.setCurrentRevision(String(current));
  if (expected === 'no-stream') return wrong.setExpectedNoStream(new shared.Empty());
  if (expected === 'stream-exists') return wrong.setExpectedStreamExists(new shared.Empty());
  if (expected === 'any') return wrong.setExpectedAny(new shared.Empty());
  return wrong.setExpectedRevision(String(expected));
}

const identifierOf = (stream: string): shared.StreamIdentifier =>
  new shared.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64'));
