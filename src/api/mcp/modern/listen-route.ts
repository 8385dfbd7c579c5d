import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { ApiError } from '../../calls/api-errors.ts';
import { flatCost, type Operation, type OperationContext } from '../../calls/operation/operation.ts';
import { readEvent } from '../../operations/shared/read-documents.ts';
import { createStreamServer, type StreamResource, type StreamServerParts } from '../../streams/stream-server.ts';
import { RpcError, type RpcRequest, rpcErrorBody } from '../json-rpc.ts';
import { acceptsEventStream } from '../read-mcp-request.ts';
import { createListenStream, rpcMessage } from './listen-stream.ts';
import { readParams } from './modern-answers.ts';
import type { ResourceChanges } from './resource-changes.ts';
import { type EventResource, parseEventResource } from './resources.ts';

/** The most addresses of one stream. */
const MAX_URIS = 100;

const listenParams = z.object({
  notifications: z.object({
    resourceSubscriptions: z
      .array(z.string().max(300), { error: 'must be a list of addresses' })
      .max(MAX_URIS, `must hold at most ${MAX_URIS} addresses`)
      .optional(),
  }),
});
export type ListenFilter = z.infer<typeof listenParams>['notifications'];

/** What a stream is asked for. @throws RpcError */
export const readListenFilter = (request: RpcRequest): ListenFilter => readParams(request, listenParams).notifications;

/** Not in the list of operations: it is reached at `/mcp` alone. Its name stands in the usage of an account. */
const listenToResources: Operation<unknown, unknown, ListenFilter, unknown> = {
  name: 'listen_to_resources',
  method: 'POST',
  path: '/mcp',
  tag: 'Agents',
  summary: 'Tells when the score or the odds of events change.',
  input: {},
  output: z.unknown(),
  cost: flatCost(1),
  streaming: true,
  run: () => Promise.reject(new Error('a stream is opened, not run')),
};

interface Listening extends StreamResource {
  readonly request: RpcRequest;
  readonly uris: readonly string[];
  /** What happens at a change, once the stream is open. */
  onChange(changed: (uri: string) => void): void;
}

export interface ListenRouteParts extends StreamServerParts {
  readonly changes: ResourceChanges;
  readonly serverInfo: object;
}

interface ListenOpening {
  readonly request: RpcRequest;
  readonly filter: ListenFilter;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly key: string | undefined;
}

/** All open streams of `subscriptions/listen`. */
export interface ListenStreams {
  readonly size: number;
  /** Unread bytes of all streams. */
  readonly buffered: number;
  /** Resolves when the stream has ended. */
  serve(opening: ListenOpening): Promise<void>;
  close(): Promise<void>;
}

export function createListenStreams({ changes, serverInfo, ...parts }: ListenRouteParts): ListenStreams {
  const { responder } = parts;
  const streams = createStreamServer<Listening>(
    {
      operation: listenToResources,
      create({ request: { id }, uris, onChange }, transport) {
        const stream = createListenStream({ ...transport, id, uris, serverInfo });
        onChange(stream.changed);
        return stream;
      },
      errorMessage: ({ status, message }, _, { request: { id } }) =>
        // The protocol leaves codes beyond its own range to programs: this is the status that REST has.
        rpcMessage(rpcErrorBody(new RpcError(status, message, { id }))),
    },
    parts,
  );

  async function acquire(request: RpcRequest, input: ListenFilter, context: OperationContext): Promise<Listening> {
    const honoured = await honouredResources(input.resourceSubscriptions ?? [], context);
    let tell: ((uri: string) => void) | undefined;
    const early = new Set<string>();
    const ends: (() => void)[] = [];
    const release = () => {
      for (const end of ends) end();
    };
    const changed = (uri: string) => (tell ? tell(uri) : early.add(uri));
    try {
      for (const resource of honoured) ends.push(await changes.watch(resource, () => changed(resource.uri)));
    } catch (error) {
      release();
      throw error;
    }
    return {
      request,
      uris: honoured.map(({ uri }) => uri),
      onChange(changing) {
        tell = changing;
        for (const uri of early) changing(uri);
      },
      release,
    };
  }

  return {
    get size() {
      return streams.size;
    },
    get buffered() {
      return streams.buffered;
    },
    async serve({ request, filter, response, requestId, key }) {
      await streams.serve({
        response,
        requestId,
        key,
        readInput() {
          if (acceptsEventStream(response.req)) return filter;
          throw new ApiError('not_acceptable', 'This answer is a text/event-stream.');
        },
        acquire: (input, context) => acquire(request, input, context),
        refuse: (error, call) => responder.sendError(response, error, { requestId, call }),
      });
    },
    close: streams.close,
  };
}

/** Those of events that the caller may see, each once. Others are left out, as the protocol has it. */
async function honouredResources(
  uris: readonly string[],
  context: OperationContext,
): Promise<readonly EventResource[]> {
  const honoured: EventResource[] = [];
  for (const uri of new Set(uris)) {
    const resource = parseEventResource(uri);
    if (resource && (await isVisible(resource.eventId, context))) honoured.push(resource);
  }
  return honoured;
}

async function isVisible(eventId: number, context: OperationContext): Promise<boolean> {
  try {
    await readEvent(context, context.replacements.meaningOf('event', eventId));
    return true;
  } catch (error) {
    if (error instanceof ApiError && (error.status === 404 || error.status === 403)) return false;
    throw error;
  }
}
