import { AnswerTooLarge, asLine, isObject, readBody, readEvents, readObject } from './answer-messages.ts';
import { messageHeaders } from './message-headers.ts';
import { INVALID_REQUEST, type ProxiedMessage, readProxiedMessage } from './proxied-message.ts';
import { brokenError, connectionError, type ProxyError, refusalError, tooLargeError } from './proxy-errors.ts';

export interface StdioProxyParts {
  /** Where the server takes messages, `/mcp`. */
  readonly endpoint: URL;
  /** Absent: the server is asked without one. */
  readonly key: string | undefined;
  /** Version of the program. */
  readonly version: string;
  readonly fetch: typeof globalThis.fetch;
  /** Writes a message; resolves when there is room for more. */
  readonly write: (line: string) => Promise<void>;
}

export interface StdioProxy {
  /**
   * Takes a line of the client; undefined: one that was too long. Never throws. Resolves when the next one may come:
   * while nobody reads the output, an error of the proxy's own holds the input up.
   */
  take(line: string | undefined): Promise<void>;
  /** Ends streams; resolves when all other requests are answered. */
  finish(): Promise<void>;
  /** Ends everything at once. */
  abort(): void;
}

/** The longest message that the server takes. */
export const MAX_LINE_BYTES = 1024 * 1024;
/** Requests under way at the server: as many as a key has concurrency slots. */
export const MAX_AT_ONCE = 16;
/** Requests that are held, under way or not, streams too. */
export const MAX_HELD = 256;
/** Bytes of these. */
const MAX_HELD_BYTES = 16 * 1024 * 1024;
/** Notifications under way; further ones are dropped, for nobody waits for an answer. */
const MAX_NOTIFICATIONS = 32;
/** The status of HTTP that the server refuses by. */
const TOO_MANY = 429;
/** Its answer is a stream that stays open. */
const LISTEN = 'subscriptions/listen';

type Id = string | number;
type ProxiedRequest = Extract<ProxiedMessage, { kind: 'request' }>;

/**
 * Passes messages on between a client on standard input and output and the `/mcp` of a server, in all revisions of the
 * protocol. It does not use the SDK: a client and a server of it, back to back, would answer `initialize` and
 * `server/discover` by themselves, drop what they do not know, and throw where the server refuses by a status of HTTP.
 * Here each message goes as it came.
 */
export function createStdioProxy({ endpoint, key, version, fetch, write }: StdioProxyParts): StdioProxy {
  /** What can be cancelled, by the client's own ids: 1 and "1" are two. */
  const held = new Map<Id, { readonly controller: AbortController; readonly isStream: boolean }>();
  const waiting: (() => void)[] = [];
  let heldBytes = 0;
  let underWay = 0;
  let notifications = 0;
  let agreed: string | undefined;
  let isFinishing = false;
  let onIdle = () => {};

  const common = {
    Accept: 'application/json, text/event-stream',
    'Content-Type': 'application/json',
    'User-Agent': `ledgerline-mcp/${version}`,
    ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
  };

  const post = (line: string, { method, params }: Pick<ProxiedRequest, 'method' | 'params'>, signal?: AbortSignal) =>
    fetch(endpoint, {
      method: 'POST',
      headers: { ...common, ...messageHeaders(method, params, agreed) },
      body: line,
      // A redirected POST would become a GET.
      redirect: 'manual',
      ...(signal && { signal }),
    });

  const writeError = (id: Id | null, error: ProxyError): Promise<void> =>
    write(JSON.stringify({ jsonrpc: '2.0', id, error }));

  async function takeRequest(line: string, request: ProxiedRequest): Promise<void> {
    const { id, method } = request;
    if (held.has(id)) {
      return writeError(id, { code: INVALID_REQUEST, message: 'A request with this id is under way.' });
    }
    if (held.size >= MAX_HELD || heldBytes + line.length > MAX_HELD_BYTES) {
      const message = `${held.size} requests wait here. Send more once they are answered.`;
      return writeError(id, { code: TOO_MANY, message });
    }
    const controller = new AbortController();
    const isStream = method === LISTEN;
    held.set(id, { controller, isStream });
    heldBytes += line.length;
    void exchange(line, request, isStream, controller.signal).finally(() => {
      heldBytes -= line.length;
      // It may have been cancelled, and its id used again.
      if (held.get(id)?.controller === controller) held.delete(id);
      if (held.size === 0) onIdle();
    });
  }

  async function exchange(line: string, request: ProxiedRequest, isStream: boolean, signal: AbortSignal) {
    // Streams have slots of their own.
    const release = isStream ? () => {} : await takePlace();
    try {
      if (signal.aborted) return;
      const error = await askServer(line, request, signal);
      if (error && !signal.aborted) await writeError(request.id, error);
    } finally {
      release();
    }
  }

  /** Writes what the server answers. @returns the error to write in the place of an answer */
  async function askServer(
    line: string,
    request: ProxiedRequest,
    signal: AbortSignal,
  ): Promise<ProxyError | undefined> {
    let isAnswering = false;
    try {
      const response = await post(line, request, signal);
      isAnswering = response.ok;
      const type = response.headers.get('content-type') ?? '';
      if (type.startsWith('text/event-stream')) return await passStream(response, request, signal);
      return await passAnswer(response, request, signal);
    } catch (error) {
      if (error instanceof AnswerTooLarge) return tooLargeError();
      return isAnswering ? brokenError(request.method === LISTEN) : connectionError(error, endpoint);
    }
  }

  async function passAnswer(response: Response, request: ProxiedRequest, signal: AbortSignal) {
    const body = await readBody(response);
    const message = readObject(body);
    if (!message || !isAnswer(message)) {
      const { status, headers } = response;
      return refusalError({ status, body, location: headers.get('location'), endpoint, hasKey: key !== undefined });
    }
    if (signal.aborted) return undefined;
    noteVersion(request, message);
    // Where the server could not read the id, the client must still learn what became of its request.
    await write(message['id'] === request.id ? asLine(body) : JSON.stringify({ ...message, id: request.id }));
    return undefined;
  }

  async function passStream(response: Response, request: ProxiedRequest, signal: AbortSignal) {
    for await (const data of readEvents(response)) {
      if (signal.aborted) return undefined;
      const message = readObject(data);
      if (!message) continue;
      const isFinal = isAnswer(message) && message['id'] === request.id;
      // Requests of a server do not exist in the newest revision, and this server makes none in the others.
      if (!isFinal && !isNotification(message)) continue;
      if (isFinal) noteVersion(request, message);
      // Until there is room, no more is read.
      await write(asLine(data));
      if (isFinal) return undefined;
    }
    return brokenError(request.method === LISTEN);
  }

  function noteVersion({ method }: ProxiedRequest, { result }: Readonly<Record<string, unknown>>): void {
    if (method === 'initialize' && isObject(result) && typeof result['protocolVersion'] === 'string') {
      agreed = result['protocolVersion'];
    }
  }

  /** Resolves when fewer than `MAX_AT_ONCE` requests are under way. @returns how to give the place back */
  async function takePlace(): Promise<() => void> {
    if (underWay >= MAX_AT_ONCE) await new Promise<void>((resolve) => waiting.push(resolve));
    else underWay++;
    return () => {
      // The place passes on to the next one.
      const next = waiting.shift();
      if (next) next();
      else underWay--;
    };
  }

  function takeNotification(line: string, message: Extract<ProxiedMessage, { kind: 'notification' }>): void {
    if (message.method === 'notifications/cancelled') {
      // Over HTTP, closing the connection cancels.
      cancel(message.params['requestId']);
      return;
    }
    if (notifications >= MAX_NOTIFICATIONS) return;
    notifications++;
    post(line, message)
      .then((response) => response.body?.cancel())
      .catch(() => {})
      .finally(() => {
        notifications--;
      });
  }

  function cancel(id: unknown): void {
    const found = held.get(id as Id);
    held.delete(id as Id);
    found?.controller.abort();
  }

  return {
    async take(line) {
      if (line === undefined) {
        const message = `A message must not be longer than ${MAX_LINE_BYTES} bytes.`;
        return writeError(null, { code: INVALID_REQUEST, message });
      }
      if (isFinishing || line.trim() === '') return;
      const message = readProxiedMessage(line);
      if (message.kind === 'request') return takeRequest(line, message);
      if (message.kind === 'notification') return takeNotification(line, message);
      // A response answers a request of the server, which makes none.
      if (message.kind === 'malformed') return writeError(null, { code: message.code, message: message.message });
    },
    async finish() {
      isFinishing = true;
      for (const [id, { isStream }] of held) if (isStream) cancel(id);
      if (held.size > 0) await new Promise<void>((resolve) => (onIdle = resolve));
    },
    abort() {
      for (const id of [...held.keys()]) cancel(id);
    },
  };
}

const isAnswer = (message: Readonly<Record<string, unknown>>): boolean =>
  message['jsonrpc'] === '2.0' && ('result' in message || isObject(message['error']));

const isNotification = (message: Readonly<Record<string, unknown>>): boolean =>
  message['jsonrpc'] === '2.0' && typeof message['method'] === 'string' && message['id'] === undefined;
