import { ApiError, notFound } from '../calls/api-errors.ts';
import { requireSport } from '../calls/scopes.ts';
import { streamScores } from '../operations/events/stream-scores.ts';
import type { EventSubscription, ScoreHub } from './score-hub.ts';
import { createScoreStream } from './score-stream.ts';
import { createStreamEndpoint, type StreamEndpoint, type StreamEndpointParts } from './stream-endpoint.ts';

interface ScoreStreamsParts extends StreamEndpointParts {
  readonly hub: ScoreHub;
}

/** All open score streams of this process. */
export type ScoreStreams = StreamEndpoint;

/** GET /v1/events/{id}/stream. */
export function createScoreStreams({ hub, ...parts }: ScoreStreamsParts): ScoreStreams {
  return createStreamEndpoint<EventSubscription>(
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
      close: hub.close,
    },
    parts,
  );
}

const BROKEN = new ApiError('internal_error', 'The server can no longer follow this event. Open the stream again.');
