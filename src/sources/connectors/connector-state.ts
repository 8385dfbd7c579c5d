/** What the state of a connector follows from. */
export interface ConnectorCircumstances {
  /** Another process polls. */
  readonly isStandby: boolean;
  /** The last request failed, other than by an answer of an unknown shape or for lack of credits. */
  readonly hasFailed: boolean;
  /** The host gets a pause, after failures. */
  readonly isHostPaused: boolean;
  /** The provider answers nobody who names himself like this server. */
  readonly isSenderRefused: boolean;
  readonly isKeyRefused: boolean;
  /** No request that costs credits can be sent. */
  readonly isExhausted: boolean;
  /** The last answer to some request lacked what is needed. */
  readonly hasDrifted: boolean;
  readonly hasSucceeded: boolean;
}

/**
 * The states, the one that goes before all others first. What stops requests now goes before what their earlier answers
 * lacked.
 */
const RULES = [
  ['standby', ({ isStandby }) => isStandby],
  ['refused', ({ isSenderRefused }) => isSenderRefused],
  ['failing', ({ hasFailed, isHostPaused, isKeyRefused }) => hasFailed || isHostPaused || isKeyRefused],
  ['exhausted', ({ isExhausted }) => isExhausted],
  ['drift', ({ hasDrifted }) => hasDrifted],
  ['starting', ({ hasSucceeded }) => !hasSucceeded],
  ['ok', () => true],
] as const satisfies readonly (readonly [string, (now: ConnectorCircumstances) => boolean])[];

export type ConnectorState = (typeof RULES)[number][0];

/** All states, in that order. */
export const CONNECTOR_STATES: readonly ConnectorState[] = RULES.map(([state]) => state);

export const connectorState = (now: ConnectorCircumstances): ConnectorState =>
  RULES.find(([, applies]) => applies(now))![0];
