/** An answered call of an account. */
export interface UsageCall {
  /** ISO 8601. */
  readonly at: string;
  /** Null: a call in a session, such as the playground's. */
  readonly keyId: number | null;
  /** Null: the request matched no operation. */
  readonly operation: string | null;
  readonly status: number;
  readonly credits: number;
  readonly milliseconds: number;
  readonly requestId: string;
}

export interface UsageFilter {
  readonly accountId: number;
  /** The last 1 to 90 periods of 24 hours. */
  readonly days: number;
  readonly keyId?: number | undefined;
  /** One status, or a class of statuses: `2xx`, `4xx`, `5xx`. */
  readonly status?: number | '2xx' | '4xx' | '5xx' | undefined;
  /** Part of the operation or the request id, in any case. */
  readonly q?: string | undefined;
}

export interface UsageAnalytics {
  /** One row for every day, oldest first. */
  readonly days: readonly {
    readonly date: string;
    readonly calls: number;
    readonly errors: number;
    readonly credits: number;
  }[];
  /** Ordered by calls, then by name. Null: the requests matched no operation; last among equals. */
  readonly operations: readonly {
    readonly operation: string | null;
    readonly calls: number;
    readonly credits: number;
  }[];
  /** Ordered by calls, then by id. Null: calls in sessions; last among equals. */
  readonly keys: readonly { readonly key_id: number | null; readonly calls: number; readonly credits: number }[];
}

/**
 * The usage of accounts, read from documents, not from the log. After an upgrade all methods reject with
 * `UnavailableError` until these documents are built.
 */
export interface UsageReader {
  /** Newest first, 100 a page, from page 1; `hasMore`: there is a next page. */
  page(filter: UsageFilter, page: number): Promise<{ readonly calls: readonly UsageCall[]; readonly hasMore: boolean }>;
  /** Newest first, at most `limit`. */
  all(filter: UsageFilter, limit: number): AsyncIterable<UsageCall>;
  /** The last `days` UTC days, including today. */
  analytics(accountId: number, days: number): Promise<UsageAnalytics>;
}
