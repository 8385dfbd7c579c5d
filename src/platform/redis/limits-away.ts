import { Unavailable } from '../../domain/unavailable.ts';

const RETRY_AFTER = 1;

/** The engine of limits and credits refuses, hangs, or answers with errors. */
export class LimitsAway extends Unavailable {
  readonly engine = 'limits';
  constructor(message: string, options?: ErrorOptions) {
    super(`limits: ${message}`, RETRY_AFTER, options);
    this.name = 'LimitsAway';
  }
}

/** Nothing was sent. */
export class LimitsNotConnected extends LimitsAway {
  constructor(reason: string | undefined) {
    super(reason === undefined ? 'not connected' : `not connected: ${reason}`);
    this.name = 'LimitsNotConnected';
  }
}
