/** One call of an account that was answered. */
export interface UsageCall {
  /** ISO 8601. */
  readonly at: string;
  /** Null: of a session, such as the playground's. */
  readonly keyId: number | null;
  /** Null: it fitted none. */
  readonly operation: string | null;
  readonly status: number;
  readonly credits: number;
  readonly milliseconds: number;
  readonly requestId: string;
}

export interface UsageFilter {
  readonly accountId: number;
  /** The last so many times 24 hours: 1 to 90. */
  readonly days: number;
  readonly keyId?: number | undefined;
  /** One status, or all of a hundred: `2xx`, `4xx`, `5xx`. */
  readonly status?: number | '2xx' | '4xx' | '5xx' | undefined;
  /** Found in operation or request id, without case. */
  readonly q?: string | undefined;
}

export interface UsageAnalytics {
  /** Every day has a row, the oldest first. */
  readonly days: readonly {
    readonly date: string;
    readonly calls: number;
    readonly errors: number;
    readonly credits: number;
  }[];
  /** By calls, then name. Null: they fitted none; it comes last among equals. */
  readonly operations: readonly {
    readonly operation: string | null;
    readonly calls: number;
    readonly credits: number;
  }[];
  /** By calls, then id. Null: of a session; it comes last among equals. */
  readonly keys: readonly { readonly key_id: number | null; readonly calls: number; readonly credits: number }[];
}

/** What accounts have called, from documents: nothing here reads the log. Everything rejects with `Unavailable` while
 *  these documents are built for the first time, after an upgrade. */
export interface UsageReader {
  /** The newest first, 50 a page, from page 1; `hasMore`: there is a next page. */
  page(filter: UsageFilter, page: number): Promise<{ readonly calls: readonly UsageCall[]; readonly hasMore: boolean }>;
  /** The newest first, no more than `most`. */
  all(filter: UsageFilter, most: number): AsyncIterable<UsageCall>;
  /** Of so many UTC days, today the last. */
  analytics(accountId: number, days: number): Promise<UsageAnalytics>;
}
