/** What the DOUBLE of Stripe's API has in common: requests, answers, and how Stripe refuses. */

export interface Seen {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: URLSearchParams;
  readonly idempotencyKey: string | undefined;
}

export interface Answer {
  readonly status: number;
  readonly value: unknown;
}

export function failed(status: number, error: object): Answer {
  return { status, value: { error } };
}

/** 404 where the id stands in the path, 400 where it is a parameter. */
export const missing = (what: string, param: string, id: string, isOfPath = param === 'id'): Answer =>
  failed(isOfPath ? 404 : 400, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message: `No such ${what}: '${id}'`,
  });

/** Stripe refuses what it does not know. `metadata[a]` and `list[0]` belong to the parameter before the bracket. */
export function unknownParameter(form: URLSearchParams, known: readonly string[]): Answer | undefined {
  const param = [...form.keys()].map((name) => name.split('[')[0]!).find((name) => !known.includes(name));
  if (param === undefined) return undefined;
  const message = `Received unknown parameter: ${param}`;
  return failed(400, { type: 'invalid_request_error', code: 'parameter_unknown', param, message });
}
