import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import type { Provider, ProviderAnswer, ProviderRequest } from '../../../src/sources/provider-base/provider.ts';
import { UnknownAnswerShape } from '../../../src/sources/provider-base/provider.ts';
import { listenBelow32768 } from '../../api/http/listening.ts';

export type Answering = (request: IncomingMessage, response: ServerResponse) => void;

/** A server on loopback that answers as it is told, and remembers what it was asked. */
export async function fakeHost(answering: Answering) {
  const asked: { readonly url: string; readonly headers: IncomingMessage['headers'] }[] = [];
  const state = { answering };
  const listener: RequestListener = (request, response) => {
    asked.push({ url: request.url ?? '', headers: request.headers });
    state.answering(request, response);
  };
  const server = createServer(listener);
  const port = await listenBelow32768(server);
  return {
    address: `http://127.0.0.1:${port}`,
    asked,
    answerWith(next: Answering) {
      state.answering = next;
    },
    async close() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** Answers JSON. */
export const json =
  (body: unknown, headers: Readonly<Record<string, string>> = {}, status = 200): Answering =>
  (_, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

/** A provider whose answers are `{messages, rejected?, drift?}`: messages without `source` and `at`. */
export function toyProvider(
  requests: () => readonly ProviderRequest[],
  name = 'espn',
): Provider & { readonly forgotten: number } {
  let forgotten = 0;
  return {
    name,
    address: 'http://127.0.0.1:1',
    requests,
    async *read({ body, observedAt }: ProviderAnswer) {
      const { messages, rejected = [], drift = [] } = body as Record<string, any[]>;
      if (!Array.isArray(messages)) throw new UnknownAnswerShape('messages', 'must be a list');
      const at = new Date(observedAt).toISOString();
      for (const message of messages) yield { message: { source: name, at, ...message } };
      for (const one of rejected) yield { rejected: one };
      for (const one of drift) yield { drift: one };
    },
    forgetPublished() {
      forgotten++;
    },
    get forgotten() {
      return forgotten;
    },
    memory: { bytes: 0, limit: 0 },
  };
}
