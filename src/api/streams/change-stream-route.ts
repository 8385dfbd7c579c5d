import type { Router } from 'express';
import type { ChangeCursor } from '../../read-models/change-feed/change-cursor.ts';
import type { ChangeFeed } from '../../read-models/change-feed/change-feed.ts';
import type { ChangeFilter } from '../../read-models/change-feed/change-filter.ts';
import { ApiError } from '../calls/api-errors.ts';
import { addRoute } from '../http/routed-request.ts';
import { type ChangeQuery, readChangeCursor, readChangeFilter } from '../operations/changes/change-parameters.ts';
import { streamChanges } from '../operations/changes/stream-changes.ts';
import type { ChangeHub } from './change-hub.ts';
import { createChangeStream } from './change-stream.ts';
import {
  createStreamEndpoint,
  type StreamEndpoint,
  type StreamEndpointParts,
  type StreamResource,
} from './stream-endpoint.ts';

interface ChangeStreamsParts extends StreamEndpointParts {
  readonly hub: ChangeHub;
  readonly changes: ChangeFeed;
  /** What went wrong while a stream was open. */
  readonly onError: (error: unknown) => void;
}

/** All open streams of changes of this server. */
export interface ChangeStreams extends Omit<StreamEndpoint, 'handler'> {
  readonly mount: (router: Router) => void;
}

interface OpenedChangeStream extends StreamResource {
  readonly filter: ChangeFilter;
  readonly after: ChangeCursor;
}

/** GET /v1/stream. */
export function createChangeStreams({ hub, changes, onError, ...parts }: ChangeStreamsParts): ChangeStreams {
  const door = createStreamEndpoint<OpenedChangeStream>(
    {
      operation: streamChanges,
      async acquire(asked: ChangeQuery, context, { headers }) {
        const last = headers['last-event-id'];
        const given = typeof last === 'string' && last !== '' ? last : undefined;
        const filter = await readChangeFilter(asked, context);
        const name = given === undefined ? 'after' : 'Last-Event-ID';
        const text = given ?? asked.after;
        const after = text === undefined ? await changes.endCursor() : await readChangeCursor(name, text, context);
        return { filter, after, release: await hub.acquire() };
      },
      create: ({ filter, after }, pacing, asMessage) =>
        createChangeStream({ ...pacing, hub, changes, filter, after, broken: asMessage(BROKEN), onError }),
    },
    parts,
  );
  return {
    get size() {
      return door.size;
    },
    get buffered() {
      return door.buffered;
    },
    mount: (router) => addRoute(router, streamChanges.path, door.handler),
    async close() {
      await door.close();
      await hub.close();
    },
  };
}

const BROKEN = new ApiError('internal_error', 'The server can no longer follow its log. Open the stream again.');
