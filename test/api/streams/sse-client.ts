import { type IncomingMessage, request } from 'node:http';
import { createParser } from 'eventsource-parser';

export interface Message {
  /** `comment` for comments, `end` for the orderly end of the answer, `cut` for any other. */
  readonly event: string;
  readonly id?: string | undefined;
  readonly data?: any;
}

export interface SseClient {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  /** Everything that has come. */
  readonly received: Message[];
  readonly retry: number | undefined;
  /** The bytes as they came. */
  text(): string;
  /** The next message, whenever it comes. */
  next(): Promise<Message>;
  /** Messages until the answer ends, that one included. */
  rest(): Promise<Message[]>;
  pause(): void;
  resume(): void;
  /** Goes away without a word. */
  leave(): void;
}

/** Opens a stream; resolves when its headers are there. With a body it is posted, as JSON. */
export function openStream(url: string, headers: Record<string, string> = {}, body?: object): Promise<SseClient> {
  return new Promise((resolve, reject) => {
    const posted = body && { method: 'POST', headers: { 'content-type': 'application/json', ...headers } };
    const asking = request(url, { headers, agent: false, ...posted }, (response) => resolve(clientOf(response)));
    asking.on('error', reject);
    asking.end(body && JSON.stringify(body));
  });
}

function clientOf(response: IncomingMessage): SseClient {
  const received: Message[] = [];
  const unread: Message[] = [];
  const waiting: ((message: Message) => void)[] = [];
  const chunks: Buffer[] = [];
  let retry: number | undefined;
  let ended = false;
  const take = (message: Message) => {
    received.push(message);
    const waiter = waiting.shift();
    if (waiter) waiter(message);
    else unread.push(message);
  };
  const end = (event: 'end' | 'cut') => {
    if (ended) return;
    ended = true;
    take({ event });
  };
  const parser = createParser({
    onEvent: ({ event = 'message', id, data }) => take({ event, id, data: JSON.parse(data) }),
    onComment: (comment) => take({ event: 'comment', data: comment }),
    onRetry: (value) => {
      retry = value;
    },
  });
  response.on('data', (chunk: Buffer) => {
    chunks.push(chunk);
    parser.feed(chunk.toString());
  });
  response.on('end', () => end('end'));
  response.on('error', () => end('cut'));
  response.on('close', () => end('cut'));
  const next = () =>
    new Promise<Message>((resolve) => {
      const message = unread.shift();
      if (message) resolve(message);
      else waiting.push(resolve);
    });
  return {
    status: response.statusCode!,
    headers: response.headers,
    received,
    get retry() {
      return retry;
    },
    text: () => Buffer.concat(chunks).toString(),
    next,
    async rest() {
      const messages: Message[] = [];
      for (;;) {
        const message = await next();
        messages.push(message);
        if (message.event === 'end' || message.event === 'cut') return messages;
      }
    },
    pause: () => void response.pause(),
    resume: () => void response.resume(),
    leave: () => void response.destroy(),
  };
}
