import { get, type IncomingHttpHeaders } from 'node:http';
import { expect } from 'vitest';
import { ApiError } from '../../../src/api/calls/api-errors.ts';
import type { EventLog } from '../../../src/event-log/port/event-log.ts';
import type { ReadStore } from '../../../src/read-models/store/read-store.ts';
import type { LivePageParts } from '../../../src/web/live/live-page.ts';
import type { Message } from '../../api/spec/messages.ts';
import { openStream, type SseClient, type Message as SseMessage } from '../../api/streams/sse-client.ts';
import { composed } from '../../support/composed.ts';

export const NOW = '2026-03-01T20:00:00Z';

export interface Answer<Body = any> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** Of JSON. */
  readonly body: Body;
}

/** The live page of the server that ships, its stores in memory, and time that is moved by hand. */
export async function serveLive(
  options: Partial<LivePageParts> & {
    readonly around?: (store: ReadStore) => ReadStore;
    readonly aroundLog?: (log: EventLog) => EventLog;
  } = {},
) {
  const { around = (same) => same, aroundLog = (same) => same, ...more } = options;
  const opened = await composed({
    time: Date.parse(NOW),
    baseUrl: (port) => `http://127.0.0.1:${port}`,
    around: (ports) => ({ ...ports, log: aroundLog(ports.log) }),
    settings: { livePage: true, trustProxy: ['127.0.0.1'] },
    replacements: {
      authenticate: () => {
        throw new ApiError('unauthorized', 'No key has been made.');
      },
      documents: around,
      page: { files: '/nowhere', ...more },
    },
  });
  const { url, clock, timers, ports, core, failures } = opened;
  const { log, store } = ports;
  const { runner, projected } = core;
  const { page } = opened.server;
  await runner.start();

  const ask = (path: string, init: { method?: string; headers?: Record<string, string> } = {}): Promise<Answer> =>
    new Promise((resolve, reject) => {
      // `fetch` does not let a caller say what `Host` is.
      const request = get(url + path, { agent: false, ...init }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('end', () => {
          const text = Buffer.concat(chunks).toString();
          const isJson = response.headers['content-type']?.startsWith('application/json') && text !== '';
          const { statusCode: status = 0, headers } = response;
          resolve({ status, headers, text, body: isJson ? JSON.parse(text) : undefined });
        });
      });
      request.on('error', reject);
    });

  return {
    url,
    clock,
    timers,
    page,
    runner,
    store,
    log,
    failures,
    ask,
    /** The body of a 200. */
    async get<Body = any>(path: string): Promise<Body> {
      const { status, body, text } = await ask(path);
      expect([path, status, status === 200 ? '' : text]).toEqual([path, 200, '']);
      return body as Body;
    },
    open: (date?: string, headers: Record<string, string> = {}) =>
      openStream(`${url}/live/stream${date === undefined ? '' : `?date=${date}`}`, headers),
    /** Messages that are all accepted, and projected. */
    async feed(...messages: readonly Message[]): Promise<void> {
      const { outcomes } = await core.intake.accept(messages.map((value, index) => ({ line: index + 1, value })));
      expect(outcomes.filter(({ status }) => status !== 'accepted')).toEqual([]);
      await projected();
    },
    projected,
    async eventId(ref: string, source = 'feed'): Promise<number> {
      const bound = await ports.identities.findEvent(source, ref);
      if (!bound) throw new Error(`${source} has no event ${ref}`);
      return bound.id;
    },
    close: opened.close,
  };
}
export type LiveServer = Awaited<ReturnType<typeof serveLive>>;

/** The next message that is no comment; time passes until it comes. */
export async function nextTold({ timers }: LiveServer, client: SseClient): Promise<SseMessage> {
  for (;;) {
    let message: SseMessage | undefined;
    void client.next().then((next) => {
      message = next;
    });
    while (!message) {
      timers.advance(25);
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    if (message.event !== 'comment') return message;
  }
}
