import { ApiError, notFound } from '../calls/api-errors.ts';
import { requireSport } from '../calls/scopes.ts';
import { streamScores } from '../operations/events/stream-scores.ts';
import { readWinProbability, type WinProbabilityOf } from '../operations/intelligence/win-probability.ts';
import type { EventSubscription, ScoreHub } from './score-hub.ts';
import { createScoreStream } from './score-stream.ts';
import { sseMessage } from './sse-messages.ts';
import { createStreamEndpoint, type StreamEndpoint, type StreamEndpointParts } from './stream-endpoint.ts';
import type { ScoreFrame, WatchedFrame } from './watched-event.ts';

interface ScoreStreamsParts extends StreamEndpointParts {
  readonly hub: ScoreHub;
}

/** All open score streams of this process. */
export type ScoreStreams = StreamEndpoint;

/** A watched event, and how likely its sides are to win, if the client asks for it. */
interface OpenedScores {
  readonly subscription: EventSubscription;
  readonly winProbabilityOf: WinProbabilityOf | undefined;
  release(): void;
}

/** GET /v1/events/{id}/stream. */
export function createScoreStreams({ hub, ...parts }: ScoreStreamsParts): ScoreStreams {
  return createStreamEndpoint<OpenedScores>(
    {
      operation: streamScores,
      async acquire({ id, include_probability }: StreamInput, context) {
        const subscription = await hub.subscribe(id);
        if (!subscription) throw notFound(`There is no event ${id}.`);
        const { eventId, sport, release } = subscription;
        try {
          requireSport(context.principal, sport);
          const winProbabilityOf = include_probability
            ? await readWinProbability(context, { id: eventId, sport })
            : undefined;
          return { subscription, winProbabilityOf, release };
        } catch (error) {
          release();
          throw error;
        }
      },
      create: ({ subscription, winProbabilityOf }, pacing, asMessage) => {
        const stream = createScoreStream({ eventId: subscription.eventId, ...pacing });
        const shown = (frame: WatchedFrame): ScoreFrame =>
          winProbabilityOf ? withProbability(frame, winProbabilityOf) : frame;
        const current = subscription.join({
          changed: (frame) => stream.changed(shown(frame)),
          failed: () => stream.fail(asMessage(BROKEN)),
        });
        return { ...stream, begin: () => stream.begin(shown(current)) };
      },
      isSentInStream: ({ code }) => code === 'not_found',
      close: hub.close,
    },
    parts,
  );
}

interface StreamInput {
  readonly id: number;
  readonly include_probability: boolean;
}

function withProbability(frame: WatchedFrame, winProbabilityOf: WinProbabilityOf): ScoreFrame {
  const score = { ...frame.snapshot, win_probability: winProbabilityOf(frame.document) };
  return { ...frame, bytes: sseMessage('score', score, frame.id) };
}

const BROKEN = new ApiError('internal_error', 'The server can no longer follow this event. Open the stream again.');
