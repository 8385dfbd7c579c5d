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
  const endpoint = createStreamEndpoint<EventSubscription>(
    {
      operation: streamScores,
      async acquire({ id }: { readonly id: number }, { principal }) {
        const subscription = await hub.subscribe(id);
        if (!subscription) throw notFound(`There is no event ${id}.`);
        try {
          requireSport(principal, subscription.sport);
        } catch (error) {
          subscription.release();
          throw error;
        }
        return subscription;
      },
      create: (subscription, pacing, asMessage) => {
        const stream = createScoreStream({ eventId: subscription.eventId, ...pacing });
        const current = subscription.join({ changed: stream.changed, failed: () => stream.fail(asMessage(BROKEN)) });
        return { ...stream, begin: () => stream.begin(current) };
      },
      isSentInStream: ({ code }) => code === 'not_found',
    },
    parts,
  );
  return {
    get size() {
      return endpoint.size;
    },
    get buffered() {
      return endpoint.buffered;
    },
    mount: (router) => addRoute(router, streamScores.path.replace('{id}', ':id'), endpoint.handler),
    async close() {
      await endpoint.close();
      await hub.close();
    },
  };
}

const BROKEN = new ApiError('internal_error', 'The server can no longer follow this event. Open the stream again.');
