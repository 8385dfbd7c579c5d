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

/** What every role of a process is made of. */
export interface RoleParts {
  readonly config: Config;
  readonly environment: Environment;
  readonly engines: ClusterEngines;
  readonly clock: ClusterClock;
  /** Names this process among all. */
  readonly owner: string;
  readonly watch: Pick<EngineWatch, 'unavailable'>;
  readonly responder: Responder;
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
  /** What the roles open is closed in reverse. */
  readonly closing: Closing;
  readonly measure: Measure;
  /** What the projectors have done; undefined where the read store's address is not given. */
  readonly view: ClusterView | undefined;
  /** How it hears of what they change; undefined where the read store's address is not given. */
  readonly receivedChanges: ChangeNotifications | undefined;
}

/** A role that is played. */
export interface RunningRole {
  /** What it serves. */
  readonly listener?: RequestListener;
  /** Resolves when it has caught up, once. */
  readonly caughtUp: Promise<unknown>;
  /** Why it does nothing any more; undefined: it does. */
  stopped?(): string | undefined;
}
