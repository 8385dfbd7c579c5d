/**
 * It cannot be done now, and the caller may try again later. A full disk or an unreliable clock: nothing was written. A
 * failed flush: nobody knows whether it was written, and the process ends. In HTTP: 503 `service_unavailable`.
 */
export class UnavailableError extends Error {
  readonly code = 'unavailable';
  /** Seconds until a retry may succeed. */
  readonly retryAfter: number;
  constructor(message: string, retryAfter = 5, options?: ErrorOptions) {
    super(message, options);
    this.name = 'UnavailableError';
    this.retryAfter = retryAfter;
  }
}

/** A request was refused and nothing was changed. The page shows the reason, with this HTTP status. */
export class RefusedError extends Error {
  readonly code = 'refused';
  /** HTTP status: 402, 403, 404, 409, 422 or 429. */
  readonly status: number;
  /** Error messages by form field; empty if the error concerns no field. */
  readonly fields: Readonly<Record<string, string>>;
  /** Seconds to wait, for status 429. */
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

/** An error about one form field. */
export const invalidField = (name: string, message: string): RefusedError =>
  new RefusedError(422, message, { fields: { [name]: message } });
