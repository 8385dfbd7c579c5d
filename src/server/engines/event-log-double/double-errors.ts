import { Metadata, status } from '@grpc/grpc-js';

/** An error as the engine answers it. */
export interface EngineError {
  readonly code: status;
  readonly details: string;
  readonly metadata?: Metadata;
}

function exception(name: string, facts: Readonly<Record<string, string>> = {}): Metadata {
  const metadata = new Metadata();
  metadata.set('exception', name);
  for (const [key, value] of Object.entries(facts)) metadata.set(key, value);
  return metadata;
}

export const notLeader = ({ host, port }: { readonly host: string; readonly port: number }): EngineError => ({
  code: status.NOT_FOUND,
  details: 'Leader info available',
  metadata: exception('not-leader', { 'leader-endpoint-host': host, 'leader-endpoint-port': String(port) }),
});

export const tooLarge = (most: number): EngineError => ({
  code: status.INVALID_ARGUMENT,
  details: `Maximum Append Size of ${most} Exceeded.`,
  metadata: exception('maximum-append-size-exceeded', { 'maximum-append-size': String(most) }),
});

export const streamDeleted = (stream: string): EngineError => ({
  code: status.FAILED_PRECONDITION,
  details: `Event stream '${stream}' is deleted.`,
  metadata: exception('stream-deleted', { 'stream-name': stream }),
});

export const wrongVersion = (stream: string, expected: number, actual: number): EngineError => ({
  code: status.FAILED_PRECONDITION,
  details: `Append failed due to WrongExpectedVersion. Stream: ${stream}`,
  metadata: exception('wrong-expected-version', {
    'stream-name': stream,
    'expected-version': String(expected),
    ...(actual === -1 ? {} : { 'actual-version': String(actual) }),
  }),
});

export const accessDenied: EngineError = {
  code: status.PERMISSION_DENIED,
  details: 'Access Denied',
  metadata: exception('access-denied'),
};

export const unauthenticated: EngineError = { code: status.UNAUTHENTICATED, details: '' };

export const notReady: EngineError = { code: status.UNAVAILABLE, details: 'Server Is Not Ready' };

/** What the engine answers to what it does not expect: it says nothing of the cause. */
export const thrownByHandler: EngineError = { code: status.UNKNOWN, details: 'Exception was thrown by handler.' };

export const unknown = (details: string): EngineError => ({ code: status.UNKNOWN, details });

export const wrongPlaceOfSubscription: EngineError = {
  code: status.INVALID_ARGUMENT,
  details: 'Trying to read from an invalid position.',
};

export const isEngineError = (error: unknown): error is EngineError =>
  typeof (error as EngineError | undefined)?.code === 'number';
