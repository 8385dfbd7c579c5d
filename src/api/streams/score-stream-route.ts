import type { Router } from 'express';
import { ApiError, notFound } from '../calls/api-errors.ts';
import { requireSport } from '../calls/scopes.ts';
import { addRoute } from '../http/routed-request.ts';
import { streamScores } from '../operations/events/stream-scores.ts';
import type { EventSubscription, ScoreHub } from './score-hub.ts';
import { createScoreStream } from './score-stream.ts';
import { createStreamEndpoint, type StreamEndpoint, type StreamEndpointParts } from './stream-endpoint.ts';

interface ScoreStreamsParts extends StreamEndpointParts {
  readonly hub: ScoreHub;
}

/** All open score streams of this process. */
export interface ScoreStreams extends Omit<StreamEndpoint, 'handler'> {
  readonly mount: (router: Router) => void;
}

/** GET /v1/events/{id}/stream. */
export function createScoreStreams({ hub, ...parts }: ScoreStreamsParts): ScoreStreams {
  const door = createStreamEndpoint<EventSubscription>(
    {
      operation: streamScores,
      async acquire({ id }: { readonly id: number }, { principal }) {
        const held = await hub.subscribe(id);
        if (!held) throw notFound(`There is no event ${id}.`);
        try {
          requireSport(principal, held.sport);
        } catch (error) {
          held.release();
          throw error;
        }
        return held;
      },
      create: (held, pacing, asMessage) => {
        const stream = createScoreStream({ eventId: held.eventId, ...pacing });
        const current = held.join({ changed: stream.changed, failed: () => stream.fail(asMessage(BROKEN)) });
        return { ...stream, begin: () => stream.begin(current) };
      },
      isSentInStream: ({ code }) => code === 'not_found',
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
    mount: (router) => addRoute(router, streamScores.path.replace('{id}', ':id'), door.handler),
    async close() {
      await door.close();
      await hub.close();
    },
  };
}

const BROKEN = new ApiError('internal_error', 'The server can no longer follow this event. Open the stream again.');
