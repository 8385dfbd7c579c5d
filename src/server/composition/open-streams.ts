import { type ChangeHub, createChangeHub } from '../../api/streams/change-hub.ts';
import { type ChangeStreams, createChangeStreams } from '../../api/streams/change-stream-route.ts';
import { createScoreHub, type ScoreHub, type ScoreHubParts } from '../../api/streams/score-hub.ts';
import { createScoreStreams, type ScoreStreams } from '../../api/streams/score-stream-route.ts';
import type { StreamEndpointParts } from '../../api/streams/stream-endpoint.ts';
import type { ChangeFeed } from '../../read-models/change-feed/change-feed.ts';
import { createRecordMapper } from '../../read-models/change-feed/record-mapper.ts';
import { createStreamFoldCache } from '../../read-models/change-feed/stream-fold-cache.ts';
import type { Ports } from './ports.ts';

interface StreamParts {
  readonly ports: Pick<Ports, 'log' | 'feed' | 'store'>;
  /** How records become changes. */
  readonly folding: Omit<Parameters<typeof createRecordMapper>[0], 'places'>;
  readonly changes: ChangeFeed;
  /** What every stream is opened with. */
  readonly callEdge: StreamEndpointParts;
  readonly steadyNow: () => number;
  readonly render: ScoreHubParts['render'];
  /** Logs an error with what did not work. */
  readonly failed: (message: string) => (error: unknown) => void;
}

/** The streams of scores and of changes, each kind with the hub that reads for all of them. */
export function openStreams({ ports, folding, changes, callEdge, steadyNow, render, failed }: StreamParts): {
  readonly hub: ScoreHub;
  readonly streams: ScoreStreams;
  readonly livePlaces: ReturnType<typeof createStreamFoldCache>;
  readonly changeHub: ChangeHub;
  readonly changeStreams: ChangeStreams;
} {
  const { log, feed, store } = ports;
  const { setTimer } = callEdge;
  const hub = createScoreHub({
    ...{ log, feed, store, setTimer, render },
    onError: failed('the score streams have met an error'),
  });
  const livePlaces = createStreamFoldCache();
  const changeHub = createChangeHub({
    ...{ feed, setTimer, steadyNow },
    mapChanges: createRecordMapper({ ...folding, places: livePlaces }),
    onError: failed('the streams of changes have met an error'),
  });
  const changeStreams = createChangeStreams({
    ...{ hub: changeHub, changes, ...callEdge },
    onError: failed('a stream of changes has met an error'),
  });
  return { hub, streams: createScoreStreams({ hub, ...callEdge }), livePlaces, changeHub, changeStreams };
}
