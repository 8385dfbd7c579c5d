import { Unavailable } from '../domain/unavailable.ts';

/** The broker refuses, hangs or answers with errors. */
export class BrokerAway extends Unavailable {
  readonly engine = 'broker';
  constructor(cause: unknown) {
    super(`broker: ${(cause as Error).message}`, 1, { cause });
    this.name = 'BrokerAway';
  }
}

/** Another one writes under the same name by now: what this one would write is refused, for good. */
export class Fenced extends Error {
  readonly code = 'fenced';
  constructor(cause: unknown) {
    super('another process writes here by now', { cause });
    this.name = 'Fenced';
  }
}
