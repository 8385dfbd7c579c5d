/**
 * Something cannot be written now, and nothing of it was: no room on the disk, a clock that is doubted. Whoever asked
 * may ask again later. On HTTP it is 503 `service_unavailable`.
 */
export class Unavailable extends Error {
  readonly code = 'unavailable';
  /** Seconds after which asking again may help. */
  readonly retryAfter: number;
  constructor(message: string, retryAfter = 5, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Unavailable';
    this.retryAfter = retryAfter;
  }
}
