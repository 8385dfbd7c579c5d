import type { RequestListener } from 'node:http';
import type { Hearing } from '../../api/calls/answers/heard-answers.ts';
import type { Responder } from '../../api/http/responder.ts';
import type { SharedClock } from '../../platform/clock/shared-clock.ts';
import type { Config } from '../../platform/settings/config.ts';
import type { Measure } from '../metrics/cluster-metrics.ts';
import type { Closing } from './closing.ts';
import type { ClusterEngines } from './cluster-engines.ts';
import type { ClusterView } from './cluster-view.ts';
import type { EngineWatch } from './engine-watch.ts';
import type { Environment } from './environment.ts';

/** What every role of a process is made of. */
export interface RoleParts {
  readonly config: Config;
  readonly environment: Environment;
  readonly engines: ClusterEngines;
  readonly clock: SharedClock;
  /** Names this process among all. */
  readonly owner: string;
  readonly watch: Pick<EngineWatch, 'away'>;
  readonly responder: Responder;
  /** The public address, without a slash at its end. */
  readonly baseUrl: () => string;
  /** What the roles open is closed in reverse. */
  readonly closing: Closing;
  readonly measure: Measure;
  /** What the projectors have done; undefined where the read store's address is not given. */
  readonly view: ClusterView | undefined;
  /** How it hears of what they change; undefined where the read store's address is not given. */
  readonly hearing: Hearing | undefined;
}

/** A role that is played. */
export interface PlayedRole {
  /** What it serves. */
  readonly listener?: RequestListener;
  /** Resolves when it has caught up, once. */
  readonly caughtUp: Promise<unknown>;
  /** Why it does nothing any more; undefined: it does. */
  stopped?(): string | undefined;
}
