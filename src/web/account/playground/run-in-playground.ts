import { queryOf } from '../../../api/calls/answer-cache/answer-cache.ts';
import type { AdmittedCall, CallOutcome, Pipeline } from '../../../api/calls/pipeline/pipeline.ts';
import type { Principal } from '../../../api/calls/principal.ts';
import { cacheHeaders } from '../../../api/http/endpoints/operation-route.ts';
import { parseJson } from '../../../api/http/requests/json-body.ts';
import { JSON_TYPE, type Responder, type ResponseFacts } from '../../../api/http/responder.ts';
import { fieldText } from '../form-values.ts';
import type { PlaygroundInput, ReadableOperation } from './readable-operations.ts';

/** The answer to a call, as a program would see it. */
export interface PlaygroundAnswer {
  readonly status: number;
  /** In the order in which they are sent. */
  readonly headers: readonly (readonly [string, string])[];
  /** JSON. */
  readonly body: string;
}

export interface PlaygroundParts {
  readonly pipeline: Pick<Pipeline, 'handleCall' | 'executeRead' | 'execute'>;
  readonly responder: Pick<Responder, 'headers' | 'describeErrorUncounted'>;
}

/**
 * Runs one operation for the account's owner through the pipeline that REST uses: price, answer and errors are the
 * same. There is no key, so no limits of a key apply.
 * @param form the inputs by name; an empty input counts as absent
 */
export async function runInPlayground(
  { pipeline, responder }: PlaygroundParts,
  { operation, reader, path, query, body }: ReadableOperation,
  form: URLSearchParams,
  principal: Principal,
  requestId: string,
): Promise<PlaygroundAnswer> {
  let answer: PlaygroundAnswer | undefined;

  const answered = (status: number, text: string, facts: ResponseFacts): CallOutcome => {
    const all = responder.headers({ ...facts, headers: [...(facts.headers ?? []), 'Content-Type', JSON_TYPE] });
    answer = { status, headers: inPairs(all), body: text };
    return { statusCode: status };
  };

  async function work(open: AdmittedCall): Promise<CallOutcome> {
    const { call } = open;
    // From this mark in the log, the account's calls of the last minute are counted after a restart.
    call.sharedLimit = 'playground';
    const given = reader.fromHttp(readInputs(path, form), searchOf(query, form), body && readBody(form));
    const status = operation.status ?? 200;
    if (operation.method === 'GET') {
      const question = queryOf(given);
      const { answer: made, credits } = await pipeline.executeRead(operation, question, open, holdsNothing);
      const text = Buffer.from(made.bytes, 'latin1').toString();
      return answered(status, text, { requestId, call, credits, headers: cacheHeaders(made, call, operation) });
    }
    const { output, credits } = await pipeline.execute(operation, given, open);
    return answered(status, JSON.stringify(output), { requestId, call, credits, headers: NO_STORE });
  }

  await pipeline.handleCall<CallOutcome>(
    { key: undefined, caller: () => principal, requestId, operation: operation.name },
    work,
    (error, call) => {
      const { envelope, headers } = responder.describeErrorUncounted(error, { requestId, call });
      return answered(envelope.error.status, JSON.stringify(envelope), { requestId, call, headers });
    },
  );
  return answer!;
}

const NO_STORE = ['Cache-Control', 'no-store'];
const holdsNothing = (): boolean => false;

const readInputs = (inputs: readonly PlaygroundInput[], form: URLSearchParams): Record<string, string> =>
  Object.fromEntries(
    inputs.map(({ name }) => [name, fieldText(form, name)] as const).filter(([, value]) => value !== ''),
  );

const searchOf = (inputs: readonly PlaygroundInput[], form: URLSearchParams): string =>
  new URLSearchParams(readInputs(inputs, form)).toString();

/**
 * As over REST, an empty body counts as `{}`.
 * @throws ApiError bad_request
 */
function readBody(form: URLSearchParams): unknown {
  const text = fieldText(form, 'body');
  return text === '' ? {} : parseJson(Buffer.from(text));
}

const inPairs = (all: readonly string[]): readonly (readonly [string, string])[] =>
  all.flatMap((name, index) => (index % 2 === 0 ? [[name, all[index + 1]!] as const] : []));
