/**
 * The parts of kafkajs 2.2.4 that read a partition without a group, which its own consumer cannot do, and the one that
 * keeps idle connections awake.
 */
declare module 'kafkajs/src/cluster/index.js' {
  interface FetchedMessage {
    readonly offset: string;
    readonly key: Buffer | null;
    readonly value: Buffer | null;
    readonly headers?: Readonly<Record<string, unknown>>;
    readonly isControlRecord?: boolean;
  }

  interface FetchedPartition {
    readonly partition: number;
    readonly highWatermark: string;
    readonly lastStableOffset: string;
    readonly abortedTransactions: readonly { readonly producerId: string; readonly firstOffset: string }[] | null;
    readonly messages: readonly FetchedMessage[];
  }

  interface Broker {
    fetch(request: {
      isolationLevel: number;
      maxWaitTime: number;
      minBytes: number;
      maxBytes: number;
      topics: readonly {
        topic: string;
        partitions: readonly { partition: number; fetchOffset: string; maxBytes: number }[];
      }[];
    }): Promise<{ responses: readonly { topicName: string; partitions: readonly FetchedPartition[] }[] }>;
    listOffsets(request: {
      isolationLevel: number;
      topics: readonly { topic: string; partitions: readonly { partition: number; timestamp: number }[] }[];
    }): Promise<{
      responses: readonly { topic: string; partitions: readonly { partition: number; offset: string }[] }[];
    }>;
  }

  export default class Cluster {
    constructor(options: Readonly<Record<string, unknown>>);
    connect(): Promise<void>;
    disconnect(): Promise<void>;
    addMultipleTargetTopics(topics: readonly string[]): Promise<void>;
    refreshMetadata(): Promise<void>;
    refreshMetadataIfNecessary(): Promise<void>;
    findLeaderForPartitions(topic: string, partitions: readonly number[]): Record<string, number[]>;
    findBroker(node: { nodeId: string }): Promise<Broker>;
  }
}

declare module 'kafkajs/src/consumer/filterAbortedMessages.js' {
  import type { FetchedMessage, FetchedPartition } from 'kafkajs/src/cluster/index.js';
  export default function filterAbortedMessages(
    partition: Pick<FetchedPartition, 'messages' | 'abortedTransactions'>,
  ): FetchedMessage[];
}

declare module 'kafkajs/src/loggers/index.js' {
  const loggers: { createLogger(options: { level: number; logCreator: () => () => void }): unknown };
  export default loggers;
}

declare module 'kafkajs/src/network/requestQueue/index.js' {
  export default class RequestQueue {
    readonly pending: readonly unknown[];
    readonly inflight: ReadonlyMap<
      number,
      { readonly sentAt: number; readonly requestTimeout: number; timeoutRequest(): void }
    >;
    readonly enforceRequestTimeout: boolean;
    readonly isConnected: () => boolean;
    scheduleRequestTimeoutCheck(): void;
    scheduleCheckPendingRequests(): void;
  }
}

declare module 'kafkajs/src/network/socketFactory.js' {
  export default function socketFactory(): (options: unknown) => import('node:net').Socket;
}
