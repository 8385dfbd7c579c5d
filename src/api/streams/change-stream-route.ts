import type { Router } from 'express';
import type { ChangeCursor } from '../../read-models/changes/change-cursor.ts';
import type { ChangeFilter } from '../../read-models/changes/change-filter.ts';
import type { ChangeLog } from '../../read-models/changes/change-log.ts';
import { ApiError } from '../calls/errors.ts';
import { addRoute } from '../http/routed-request.ts';
import { type ChangesAsked, readCursor, readFilter } from '../operations/changes/change-parameters.ts';
import { streamChanges } from '../operations/changes/stream-changes.ts';
import type { ChangeHub } from './change-hub.ts';
import { createChangeStream } from './change-stream.ts';
import { createStreamDoor, type Held, type StreamDoor, type StreamDoorParts } from './stream-door.ts';

export interface ChangeStreamsParts extends StreamDoorParts {
  readonly hub: ChangeHub;
  readonly changes: ChangeLog;
  /** What went wrong while a stream was open. */
  readonly onError: (error: unknown) => void;
}

/** All open streams of changes of this server. */
export interface ChangeStreams extends Omit<StreamDoor, 'handler'> {
  readonly mount: (router: Router) => void;
}

interface HeldPlace extends Held {
  readonly filter: ChangeFilter;
  readonly after: ChangeCursor;
}

/** GET /v1/stream. */
export function createChangeStreams({ hub, changes, onError, ...parts }: ChangeStreamsParts): ChangeStreams {
  const door = createStreamDoor<HeldPlace>(
    {
      operation: streamChanges,
      async hold(asked: ChangesAsked, context, { headers }) {
        const last = headers['last-event-id'];
        const given = typeof last === 'string' && last !== '' ? last : undefined;
        const filter = await readFilter(asked, context);
        const name = given === undefined ? 'after' : 'Last-Event-ID';
        const text = given ?? asked.after;
        const after = text === undefined ? await changes.end() : await readCursor(name, text, context);
        return { filter, after, release: await hub.hold() };
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
