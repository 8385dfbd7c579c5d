import { z } from 'zod';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';
import { ERROR_CODES, ERRORS, type ErrorCode } from '../calls/api-errors.ts';
import { cookieName, SESSION_COOKIE } from '../calls/cookie-names.ts';
import { FORMAT_PARAMETER, formatNames, formatsOf } from '../calls/operation/answer-format.ts';
import { FREE, isAccountPath, type Operation } from '../calls/operation/operation.ts';
import { isList, parametersOf } from '../calls/operation/operation-input.ts';
import { thingIdPlacesOf } from '../calls/operation/thing-ids.ts';
import type { JsonSchema } from '../calls/operation/zod-json-schema.ts';
import { POSITION_HEADER, POSITION_PATTERN } from '../calls/pipeline/position-tokens.ts';
import { SchemaCollector, withoutEmptyBounds } from './schema-collector.ts';

/** Error codes that every operation can have. */
const COMMON_ERRORS: readonly ErrorCode[] = [
  'bad_request',
  'unauthorized',
  'rate_limit_exceeded',
  'concurrency_limit_exceeded',
  'headers_too_large',
  'internal_error',
  'service_unavailable',
];
const ERRORS_OF_PAID_CALLS: readonly ErrorCode[] = [
  'insufficient_credits',
  'daily_credit_cap_exceeded',
  'credit_cap_exceeded',
  'payment_failed',
];
/** Common errors that only who has a key can get. */
const ERRORS_OF_KEYS: ReadonlySet<ErrorCode> = new Set(['unauthorized', 'concurrency_limit_exceeded']);
const ERRORS_OF_BODIES: readonly ErrorCode[] = ['payload_too_large', 'unsupported_media_type'];

/** The OpenAPI 3.1 document, from the same definitions that serve the requests. */
export async function openApiDocument(operations: readonly Operation[], baseUrl: string): Promise<JsonSchema> {
  const schemas = new SchemaCollector();
  schemas.define('Error', errorEnvelopeSchema);
  const paths: Record<string, Record<string, unknown>> = {};
  for (const operation of operations) {
    paths[operation.path] ??= {};
    paths[operation.path]![operation.method.toLowerCase()] = describe(operation, schemas);
    await yieldToEventLoop();
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Ledgerline',
      version: '1.0.0',
      description: 'Sports data over HTTP: schedules, scores, odds, splits, injuries, and what follows from them.',
    },
    servers: [{ url: baseUrl }],
    security: [{ bearer: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', description: 'An API key.' },
        query_key: { type: 'apiKey', in: 'query', name: 'api_key', description: 'An API key, for the stream alone.' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: cookieName(SESSION_COOKIE, baseUrl),
          description: 'Of a browser that is signed in, for pages of this server alone, and an account’s own paths.',
        },
      },
      headers: HEADERS,
      schemas: schemas.all(),
    },
  };
}

const header = (description: string, type: string) => ({ description, schema: { type } });
const HEADERS = {
  'X-Request-Id': header('Echoed, or made by the server.', 'string'),
  'X-Credits-Used': header('Credits charged for this call.', 'number'),
  'X-Credits-Remaining': header('Balance, where credits have a limit.', 'number'),
  'X-RateLimit-Limit': header('Requests allowed in the window, where it has a limit.', 'integer'),
  'X-RateLimit-Remaining': header('Requests left in the window.', 'integer'),
  'X-RateLimit-Reset': header('Unix time at which the oldest counted request leaves the window.', 'integer'),
  'Retry-After': header('Seconds to wait.', 'integer'),
  'X-Next-After': header('Cursor of the next page, of answers that are no JSON.', 'string'),
  Link: header('The next page as `rel="next"`, of answers that are no JSON.', 'string'),
  ETag: header('Strong entity tag of this answer to this request; see If-None-Match.', 'string'),
  'X-Merged-Into': header(
    'Ids of the events that answer in the place of ids that were merged into them; only then.',
    'string',
  ),
  'Idempotency-Replayed': header(
    '`true` where the answer is that to an earlier call, with the same `Idempotency-Key`.',
    'string',
  ),
};
const refer = (names: readonly (keyof typeof HEADERS)[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
const ALWAYS = ['X-Request-Id', 'X-Credits-Used'] as const;
const OF_KEYS = [
  ...ALWAYS,
  'X-Credits-Remaining',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
] as const;

/** Statuses of answers sent before the caller is known. */
const BEFORE_KEYS: ReadonlySet<number> = new Set([401, 431]);

function describe(operation: Operation, schemas: SchemaCollector): JsonSchema {
  const { name, tag, summary, hint, method, input, cost, idempotency, streaming, keyless } = operation;
  const parameters = [
    ...parametersIn('path', schemas.input(input.path)),
    ...parametersIn('query', schemas.input(input.query)),
    ...parametersIn('query', membersInQuery(operation)),
    ...formatParameter(operation),
    ...(method === 'GET' && !streaming ? [IF_NONE_MATCH] : []),
    ...(idempotency ? [IDEMPOTENCY_KEY] : []),
    ...(keyless ? [] : [POSITION]),
  ];
  return {
    operationId: name,
    summary,
    description: hint === undefined ? `${cost.description}.` : `${hint} ${cost.description}.`,
    tags: [tag],
    parameters,
    ...(input.body
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: schemas.input(input.body) },
              ...(operation.readCsv ? { 'text/csv': { schema: { type: 'string' } } } : {}),
            },
          },
        }
      : {}),
    responses: { ...success(operation, schemas), ...failures(operation) },
    ...(streaming ? { security: [{ bearer: [] }, { query_key: [] }] } : {}),
    ...(isAccountPath(operation.path) ? { security: keyless ? [] : [{ bearer: [] }, { session: [] }] } : {}),
  };
}

function formatParameter(operation: Operation): JsonSchema[] {
  const formats = formatsOf(operation);
  if (formats.size === 0) return [];
  return [
    {
      name: FORMAT_PARAMETER,
      in: 'query',
      required: false,
      description: 'Form of the answer, for spreadsheets and the like; goes before `Accept`. Errors are JSON always.',
      schema: { type: 'string', enum: formatNames(formats) },
    },
  ];
}

const IF_NONE_MATCH = {
  name: 'If-None-Match',
  in: 'header',
  description:
    'Entity tags that the client holds. That of the present answer is answered by 304, and costs nothing. `*` is ignored: by the letter of RFC 9110 it would match every answer.',
  schema: { type: 'string' },
};

const POSITION = {
  name: POSITION_HEADER,
  in: 'header',
  description:
    'As an answer to messages sent to the server told it: the answer to this call shows these facts, or is 503 after two seconds, at no cost. Several may be joined by commas.',
  schema: { type: 'string', minLength: 1, pattern: POSITION_PATTERN },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Names the call, so that it can be repeated: for 24 hours the same call with the same key gets the first answer, and costs nothing. With another body it is 422. API keys of the account with the same scopes share it.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~](?:[ -~]*[!-~])?$' },
};

function parametersIn(location: 'path' | 'query', schema: JsonSchema | undefined): JsonSchema[] {
  const { properties = {}, required = [] } = (schema ?? {}) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    ...(isList(rest) ? { explode: false } : {}),
    schema: withoutEmptyBounds(listOf(rest) ?? rest),
  }));
}

/** Members of the body that the query may have. A URL cannot express null. */
function membersInQuery({ input: { body, bodyInQuery = [] } }: Operation): JsonSchema {
  const members = parametersOf(body);
  const withoutNull = (schema: JsonSchema): JsonSchema =>
    Array.isArray(schema.anyOf) ? schema.anyOf.find(({ type }: JsonSchema) => type !== 'null') : schema;
  return { properties: Object.fromEntries(bodyInQuery.map((name) => [name, withoutNull(members[name]!)])) };
}

/** A URL has a list, though a tool takes a single value too. */
const listOf = ({ anyOf }: JsonSchema): JsonSchema | undefined =>
  Array.isArray(anyOf) ? anyOf.find(({ type }: JsonSchema) => type === 'array') : undefined;

function success(operation: Operation, schemas: SchemaCollector): JsonSchema {
  const { status = 200, streaming, method, output, idempotency } = operation;
  const own = operation.keyless ? ALWAYS : OF_KEYS;
  if (status === 204) return { 204: { description: 'Done.', headers: refer(own) } };
  const type = streaming ? 'text/event-stream' : 'application/json';
  const schema = streaming ? { type: 'string' } : schemas.output(output);
  const isRead = method === 'GET' && !streaming;
  const formats = [...formatsOf(operation).values()];
  const pages = formats.length > 0 ? (['X-Next-After', 'Link'] as const) : [];
  const more = [
    ...(isRead ? (['ETag'] as const) : []),
    ...pages,
    ...(thingIdPlacesOf(operation.input).some(({ isKept }) => !isKept) ? (['X-Merged-Into'] as const) : []),
    ...(idempotency ? (['Idempotency-Replayed'] as const) : []),
  ];
  return {
    [status]: {
      description: 'Success.',
      headers: refer([...own, ...more]),
      content: {
        [type]: { schema },
        ...Object.fromEntries(
          formats.map((format) => [format.mediaType, { schema: { type: 'string' }, ...format.described }]),
        ),
      },
    },
    ...(isRead ? { 304: { description: 'The client holds this answer already.', headers: refer(OF_KEYS) } } : {}),
  };
}

function failures(operation: Operation): JsonSchema {
  const { input, errors = [], cost, idempotency, keyless } = operation;
  const takesInput = input.path || input.query || input.body || idempotency;
  const codes = new Set<ErrorCode>([
    ...(keyless ? COMMON_ERRORS.filter((code) => !ERRORS_OF_KEYS.has(code)) : COMMON_ERRORS),
    ...errors,
    ...(isAccountPath(operation.path) && !keyless ? (['forbidden'] as const) : []),
    ...(takesInput ? (['validation_error'] as const) : []),
    ...(input.body ? ERRORS_OF_BODIES : []),
    ...(cost.description === FREE ? [] : ERRORS_OF_PAID_CALLS),
  ]);
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of Object.keys(ERRORS) as ErrorCode[]) {
    if (!codes.has(code)) continue;
    const { status } = ERRORS[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, of]) => [
      status,
      {
        description: of.map((code) => `\`${code}\`: ${ERRORS[code].means}`).join('\n\n'),
        'x-error-codes': of,
        headers: refer(headersOf(status, keyless ? ALWAYS : OF_KEYS)),
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    ]),
  );
}

const headersOf = (status: number, own: readonly (keyof typeof HEADERS)[]): readonly (keyof typeof HEADERS)[] =>
  BEFORE_KEYS.has(status) ? ALWAYS : status === 429 ? [...own, 'Retry-After'] : own;

const fieldError = z.object({
  loc: z.array(z.union([z.string(), z.int()])),
  msg: z.string(),
  type: z.string(),
});

/** The error envelope of every endpoint. */
export const errorEnvelopeSchema = z.object({
  error: z.looseObject({
    code: z.enum(ERROR_CODES as [string, ...string[]]),
    message: z.string(),
    status: z.int(),
    doc_url: z.string(),
    request_id: z.string(),
    errors: z.array(fieldError).optional().meta({ description: 'The wrong fields, with validation_error.' }),
    retry_after: z.int().optional().meta({ description: 'Seconds, with status 429.' }),
    resets_at: z.string().optional(),
    window_hours: z.int().optional(),
    is_trial_expired: z.boolean().optional(),
    hosted_invoice_url: z.string().optional(),
    sport: z.string().optional(),
    granted_scopes: z.array(z.string()).optional(),
    upgrade_url: z.string().optional(),
    topup_url: z.string().optional(),
    billing_url: z.string().optional(),
  }),
  detail: z.string().meta({ description: 'The same as error.message.' }),
});
