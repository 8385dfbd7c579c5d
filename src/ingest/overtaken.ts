import { Unavailable } from '../domain/unavailable.ts';

/**
 * Other processes have written of the same things before each attempt. A part may have been taken: it is known when all is
 * sent again.
 */
export class Overtaken extends Unavailable {
  /** @param cause the last conflict */
  constructor(cause: Error) {
    super('Others write of the same things at this moment. Send all of these messages again.', 1, { cause });
    this.name = 'Overtaken';
  }
}
