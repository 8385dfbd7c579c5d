/** What somebody asked for was not done, and nothing of it was: the same page says why, with this status. */
export class Refused extends Error {
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
    this.name = 'Refused';
    this.status = status;
    this.fields = fields;
    this.retryAfter = retryAfter;
  }
}

/** One field is wrong. */
export const wrongField = (name: string, message: string): Refused =>
  new Refused(422, message, { fields: { [name]: message } });
