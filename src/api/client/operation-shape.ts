/** Where an operation is, and where its arguments go. */
export interface OperationShape {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With arguments in braces: `/v1/events/{id}`. */
  readonly path: string;
  /** Arguments that go into the query. */
  readonly query?: readonly string[];
  /** Arguments that go into the body; without it there is none. */
  readonly body?: readonly string[];
  /** It honours an `Idempotency-Key`. */
  readonly idempotent?: true;
  /** It answers in pages; the member that holds the items. */
  readonly pages?: string;
  /** It answers with server-sent events. */
  readonly streams?: true;
}
