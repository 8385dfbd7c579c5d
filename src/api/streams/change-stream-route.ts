import type { ChangeCursor } from '../../read-models/change-feed/change-cursor.ts';
import type { ChangeFeed } from '../../read-models/change-feed/change-feed.ts';
import type { ChangeFilter } from '../../read-models/change-feed/change-filter.ts';
import { ApiError } from '../calls/api-errors.ts';
import { type ChangeQuery, readChangeCursor, readChangeFilter } from '../operations/changes/change-parameters.ts';
import { streamChanges } from '../operations/changes/stream-changes.ts';
import type { ChangeHub } from './change-hub.ts';
import { createChangeStream } from './change-stream.ts';
import { createStreamEndpoint, type StreamEndpoint, type StreamEndpointParts } from './stream-endpoint.ts';
import type { StreamResource } from './stream-server.ts';

interface ChangeStreamsParts extends StreamEndpointParts {
  readonly hub: ChangeHub;
  readonly changes: ChangeFeed;
  readonly onError: (error: unknown) => void;
}

/** All open change streams of this process. */
export type ChangeStreams = StreamEndpoint;

interface OpenedChangeStream extends StreamResource {
  readonly filter: ChangeFilter;
  readonly after: ChangeCursor;
}

/** GET /v1/stream. */
export function createChangeStreams({ hub, changes, onError, ...parts }: ChangeStreamsParts): ChangeStreams {
  return createStreamEndpoint<OpenedChangeStream>(
    {
      operation: streamChanges,
      async acquire(query: ChangeQuery, context, { headers }) {
        const last = headers['last-event-id'];
        const given = typeof last === 'string' && last !== '' ? last : undefined;
        const filter = await readChangeFilter(query, context);
        const name = given === undefined ? 'after' : 'Last-Event-ID';
        const text = given ?? query.after;
        const after = text === undefined ? await changes.endCursor() : await readChangeCursor(name, text, context);
        return { filter, after, release: await hub.acquire() };
      },
      create: ({ filter, after }, pacing, asMessage) =>
        createChangeStream({ ...pacing, hub, changes, filter, after, broken: asMessage(BROKEN), onError }),
      close: hub.close,
    },
    parts,
  );
}

const BROKEN = new ApiError('internal_error', 'The server can no longer follow its log. Open the stream again.');
