/** The reason for a rejected message: a stable code, a sentence, and the path of the field (`markets.0.key`). */
export interface Rejection {
  readonly code: string;
  readonly message: string;
  readonly path: string;
}
