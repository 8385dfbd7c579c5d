import { SERVER_INFO_META_KEY, SUBSCRIPTION_ID_META_KEY } from '@modelcontextprotocol/server';
import { createOpenStream, type StreamTransport } from '../../streams/open-stream.ts';
import { sseMessage } from '../../streams/sse-messages.ts';
import type { RpcRequest } from '../json-rpc.ts';

interface ListenStreamParts extends StreamTransport {
  /** Of the request that opened the stream: every message carries it. */
  readonly id: RpcRequest['id'];
  /** The addresses that are honoured. */
  readonly uris: readonly string[];
  readonly serverInfo: object;
}

/** One open stream of `subscriptions/listen`. After its end all methods do nothing. */
export interface ListenStream {
  /** Writes the acknowledgement. */
  begin(): void;
  /** What this address shows has changed. */
  changed(uri: string): void;
  /** The sink accepts bytes again. */
  drained(): void;
  /** Closes the stream after `message`, which gives the reason. */
  fail(message: Buffer): void;
  shutDown(): void;
  /** The client has disconnected, or everything was sent. */
  closed(): void;
}

export function createListenStream({ id, uris, serverInfo, ...transport }: ListenStreamParts): ListenStream {
  const meta = { [SUBSCRIPTION_ID_META_KEY]: id };
  /** Changed while the sink was full: each address is sent once, however often it changed. */
  const waiting = new Set<string>();
  const stream = createOpenStream({ ...transport, onDrained: sendWaiting, onMaximum: end });

  const notify = (method: string, params: object): void =>
    stream.write(rpcMessage({ method: `notifications/${method}`, params: { ...params, _meta: meta } }));

  function sendWaiting(): void {
    for (const uri of waiting) {
      if (stream.isFull) return;
      waiting.delete(uri);
      notify('resources/updated', { uri });
    }
  }

  /** The answer to the request: the stream ends as it should. */
  function end(): void {
    const result = { resultType: 'complete', _meta: { [SERVER_INFO_META_KEY]: serverInfo, ...meta } };
    stream.finish([rpcMessage({ id, result })]);
  }

  return {
    begin() {
      if (!stream.isOpen) return;
      stream.begin();
      notify('subscriptions/acknowledged', { notifications: { resourceSubscriptions: uris } });
      sendWaiting();
    },
    changed(uri) {
      if (!stream.isOpen) return;
      waiting.add(uri);
      if (!stream.isFull) sendWaiting();
    },
    drained: stream.drained,
    fail: (message) => stream.finish([message]),
    shutDown: end,
    closed: stream.closed,
  };
}

/** A message of JSON-RPC as one of a stream. */
export const rpcMessage = (message: object): Buffer => sseMessage('message', { jsonrpc: '2.0', ...message });
