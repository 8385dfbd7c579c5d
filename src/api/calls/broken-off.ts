/**
 * The client of a call is gone before its operation runs: it is not run, and costs nothing. Nobody is there to be told.
 */
export class BrokenOff extends Error {
  constructor() {
    super('the client is gone');
    this.name = 'BrokenOff';
  }
}

/** What the account's usage tells of such a call: the status that proxies log for it. */
export const BROKEN_OFF = 499;
