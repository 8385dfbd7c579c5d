/** What a client is answered, made once and sent as often as it is asked for. */
export interface Answer {
  /** JSON in UTF-8. */
  readonly body: Buffer;
  /** Strong entity tag of the body. */
  readonly tag: string;
  /** How long clients may keep it, in seconds; 0: not without asking again. */
  readonly maxAge: number;
  /** What a call that gets it costs. */
  readonly credits: number;
}
