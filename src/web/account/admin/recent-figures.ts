/** What this process counted between two looks. */
export interface CountedSpan {
  /** Its end, in milliseconds since 1970. */
  readonly at: number;
  /** Of the span, in milliseconds. */
  readonly length: number;
  /** Calls with a key that have ended, and those of them that were answered with 5xx. */
  readonly calls: number;
  readonly errors: number;
  /** Tries to deliver a webhook, and those of them that failed. */
  readonly attempts: number;
  readonly failedAttempts: number;
}

/** What the files of the data folder took at a moment. */
export interface DiskSample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly bytes: number;
}

/** What happened lately, oldest first, as far as this process has seen it. */
export interface RecentFigures {
  /** The last hour, a minute each. Empty: the process has run for less than a minute. */
  readonly spans: readonly CountedSpan[];
  /** The last seven days, an hour apart, and the newest. Empty: no folder is known, or it could not be read. */
  readonly disk: readonly DiskSample[];
}
