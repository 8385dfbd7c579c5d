import type { EventLog } from '../../../../src/event-log/port/event-log.ts';
import type { Identities } from '../../../../src/ingest/identities/identities.ts';
import type { ReadStore } from '../../../../src/read-models/store/read-store.ts';
import type { WebhookStore } from '../../../../src/webhooks/store/webhook-store.ts';
import type { FaultyNetwork } from '../../../support/faulty/faulty-network.ts';
import type { Owner, World } from '../world.ts';
import type { Settings } from './settings.ts';

/** The services, which outlive all processes. */
export interface Services {
  readonly log: EventLog;
  readonly store: ReadStore;
  readonly identities: { open(): Identities };
  readonly webhooks: WebhookStore;
}

/** A process that has just begun. */
export interface Begun {
  readonly world: World;
  readonly settings: Settings;
  readonly services: Services;
  readonly owner: Owner;
  readonly far: FaultyNetwork;
  /** The log as this process has it. */
  readonly log: EventLog;
  /** The same for all processes that follow each other in this place. */
  readonly place: string;
  /** It cannot go on: somebody has to start another one. */
  readonly fail: (error: unknown) => void;
  /** Resolves when it dies. */
  readonly ended: Promise<void>;
  readonly end: () => void;
}

/** What is asked of a running process from outside. */
export interface Running {
  readonly begun: Begun;
  /** Nothing of it waits for a new start. */
  isSound(): boolean;
}
