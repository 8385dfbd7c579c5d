import type { RequestListener } from 'node:http';
import type { ChangeNotifications } from '../../api/calls/answer-cache/cluster-answer-cache.ts';
import type { Responder } from '../../api/http/responder.ts';
import type { ClusterClock } from '../../platform/clock/cluster-clock.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { Closing } from '../composition/closing.ts';
import type { Environment } from '../composition/environment.ts';
import type { Measure } from '../metrics/cluster-metrics.ts';
import type { ClusterEngines } from './cluster-engines.ts';
import type { ClusterView } from './cluster-view.ts';
import type { EngineWatch } from './engine-watch.ts';

/** What every role of a process gets. */
export interface RoleParts {
  readonly config: Config;
  readonly environment: Environment;
  readonly engines: ClusterEngines;
  readonly clock: ClusterClock;
  /** The name of this process among all. */
  readonly owner: string;
  readonly watch: Pick<EngineWatch, 'unavailable'>;
  readonly responder: Responder;
  /** The public address, without a trailing slash. */
  readonly baseUrl: () => string;
  /** Closes in reverse what the roles open. */
  readonly closing: Closing;
  readonly measure: Measure;
  /** The progress of the projectors; undefined if the read store's address is not set. */
  readonly view: ClusterView | undefined;
  /** Document changes that the projectors publish; undefined if the read store's address is not set. */
  readonly receivedChanges: ChangeNotifications | undefined;
}

/** A role that runs. */
export interface RunningRole {
  /** Serves its requests. */
  readonly listener?: RequestListener;
  /** Resolves once the role has caught up. */
  readonly caughtUp: Promise<unknown>;
  /** Why the role has stopped; undefined: it runs. */
  stopped?(): string | undefined;
}
