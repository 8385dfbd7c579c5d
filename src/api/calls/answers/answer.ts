/** What a client is answered, made once and sent as often as it is asked for. */
export interface Answer {
  /** JSON in UTF-8, each byte a character (`latin1`): Node sends a head and such a text with one write, a head and a
   *  buffer with two. */
  readonly bytes: string;
  /** Strong entity tag of the bytes. */
  readonly tag: string;
  /** How long clients may keep it, in seconds; 0: not without asking again. */
  readonly maxAge: number;
  /** What a call that gets it costs. */
  readonly credits: number;
}
