/**
 * Something cannot be written now, and nothing of it was: no room on the disk, a clock that is doubted. Whoever asked
 * may ask again later. On HTTP it is 503 `service_unavailable`.
 */
export class UnavailableError extends Error {
  readonly code = 'unavailable';
  /** Seconds after which asking again may help. */
  readonly retryAfter: number;
  constructor(message: string, retryAfter = 5, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnavailableError';
    this.retryAfter = retryAfter;
  }
}

/** What somebody asked for was not done, and nothing of it was: the same page says why, with this status. */
export class RefusedError extends Error {
  readonly code = 'refused';
  /** As the API has it for such an error: 402, 403, 404, 409, 422, 429. */
  readonly status: number;
  /** Names of the form's fields with what is wrong with each; empty: it is about none of them. */
  readonly fields: Readonly<Record<string, string>>;
  /** Seconds, of 429. */
  readonly retryAfter: number | undefined;

  constructor(
    status: number,
    message: string,
    {
      fields = {},
      retryAfter,
    }: { readonly fields?: Readonly<Record<string, string>>; readonly retryAfter?: number } = {},
  ) {
    super(message);
    this.name = 'RefusedError';
    this.status = status;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }
}

/** One field is wrong. */
export const invalidField = (name: string, message: string): RefusedError =>
  new RefusedError(422, message, { fields: { [name]: message } });
