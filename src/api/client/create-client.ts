import { allItems } from './all-items.ts';
import { type Ambient, realAmbient } from './ambient.ts';
import { OPERATIONS } from './generated/api-operations.ts';
import type { Change, Operations, ScoreSnapshot } from './generated/api-types.ts';
import type { OperationShape } from './operation-shape.ts';
import { type Arguments, type CallOptions, requestOf } from './request-of.ts';
import { createSender } from './send.ts';
import { streamedItems } from './streamed-items.ts';

export interface ClientOptions {
  /** Where the server is: `https://sports.example`. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** How often a call that failed for a passing reason is made again. Default 2. */
  readonly maxRetries?: number;
  /** In the place of the platform's own. */
  readonly fetch?: typeof fetch;
  /** Sees every HTTP answer, those that are tried again too, for its headers: `X-Credits-Used` and the like. Its body
   *  belongs to the client. */
  readonly onResponse?: (response: Response) => void;
}

/** A method: its arguments may be left out where none is required. */
type Method<Given, Result> =
  Record<never, never> extends Given
    ? (given?: Given, options?: CallOptions) => Result
    : (given: Given, options?: CallOptions) => Result;

/** An answer of which only some members were asked for. */
type Selected<Value> = Value extends readonly (infer Item)[]
  ? Selected<Item>[]
  : Value extends object
    ? { [Name in keyof Value]?: Selected<Value[Name]> }
    : Value;

/** A method whose answer lacks what its `fields` do not name. */
type SelectingMethod<Given, Answer> = ((
  given: Given & { fields: string },
  options?: CallOptions,
) => Promise<Selected<Answer>>) &
  Method<Given, Promise<Answer>>;

type Calls = {
  readonly [Name in keyof Operations]: 'fields' extends keyof Operations[Name]['arguments']
    ? SelectingMethod<Operations[Name]['arguments'], Operations[Name]['answer']>
    : Method<Operations[Name]['arguments'], Promise<Operations[Name]['answer']>>;
};

type Iterations = {
  readonly [Name in keyof Operations as Operations[Name] extends { item: unknown }
    ? Name
    : never]: Operations[Name] extends {
    item: infer Item;
  }
    ? Method<Operations[Name]['arguments'], AsyncGenerator<Item, void, undefined>>
    : never;
};

/** A method for each operation of the API. All reject with a `LedgerlineError`, or with the signal's reason. */
export interface Client extends Calls {
  /** The items of lists over all their pages. */
  readonly each: Iterations;
  /**
   * The score of one event: now, and at every change until it is over. Connections that end before are opened again;
   * each opening costs its credit.
   */
  streamScores(
    given: { readonly id: number },
    options?: Pick<CallOptions, 'signal'>,
  ): AsyncGenerator<ScoreSnapshot, void, undefined>;
  /**
   * Every change behind a cursor, of now unless told, each once and in order, until the reader goes. Connections that end
   * are opened again behind the last change; each opening costs its credit.
   */
  streamChanges(
    given?: Omit<Operations['listChanges']['arguments'], 'limit'>,
    options?: Pick<CallOptions, 'signal'>,
  ): AsyncGenerator<Change, void, undefined>;
}

/**
 * A client of one server, with one key.
 * @param ambient what tests bring in the place of the clock, of waiting, and of chance
 * @throws TypeError where `baseUrl` is no http or https URL, or `apiKey` cannot be one
 */
export function createClient(options: ClientOptions, ambient: Partial<Ambient> = {}): Client {
  return clientOf(OPERATIONS, options, ambient) as Client;
}

/** A client of these operations. */
export function clientOf(
  operations: Readonly<Record<string, OperationShape>>,
  { baseUrl, apiKey, maxRetries = 2, fetch: given, onResponse = () => {} }: ClientOptions,
  ambient: Partial<Ambient> = {},
): unknown {
  const { now, sleep, newKey } = { ...realAmbient, ...ambient };
  const parts = { baseUrl: addressOf(baseUrl), apiKey: checkedKey(apiKey), newKey };
  // The platform's own must not be called as a method of something else.
  const ask: typeof fetch = (input, init) => (given ?? globalThis.fetch)(input, init);
  const sender = createSender({ fetch: ask, maxRetries, onResponse, now, sleep });

  const call = async (shape: OperationShape, args: Arguments, callOptions: CallOptions) =>
    sender.answer(requestOf(shape, args, callOptions, parts));

  function each(shape: OperationShape, args: Arguments, callOptions: CallOptions) {
    return allItems(shape, args, {
      call: (pageArguments) => call(shape, pageArguments, callOptions),
      follow: (request) => call({ method: 'GET', path: request.replace('GET ', '') }, {}, callOptions),
    });
  }

  async function* stream(name: string, shape: OperationShape, args: Arguments, { signal }: CallOptions) {
    const request = requestOf(shape, args, { signal }, parts);
    request.headers.set('accept', 'text/event-stream');
    const open = (lastEventId: string | undefined) => {
      if (lastEventId !== undefined) request.headers.set('last-event-id', lastEventId);
      return sender.open(request);
    };
    yield* streamedItems(name, { open, sleep, maxRetries, signal });
  }

  const methods = Object.entries(operations).map(([name, shape]) => {
    const run = (args: Arguments = {}, callOptions: CallOptions = {}) =>
      shape.streams ? stream(name, shape, args, callOptions) : call(shape, args, callOptions);
    return [name, run] as const;
  });
  const iterations = Object.entries(operations)
    .filter(([, { pages }]) => pages !== undefined)
    .map(([name, shape]) => {
      return [name, (args: Arguments = {}, callOptions: CallOptions = {}) => each(shape, args, callOptions)] as const;
    });
  return { ...Object.fromEntries(methods), each: Object.fromEntries(iterations) };
}

/** Without a slash at its end. */
function addressOf(baseUrl: string): string {
  const url = URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw new TypeError('baseUrl must be an http or https URL');
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** What no header can hold would be quoted in the platform's own error. */
function checkedKey(apiKey: string): string {
  if (typeof apiKey === 'string' && /^[!-~]+$/.test(apiKey)) return apiKey;
  throw new TypeError('apiKey must be the key, in visible ASCII characters');
}
