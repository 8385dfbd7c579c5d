import { join } from 'node:path';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js';
import { createDoubleAppends } from './double-appends.ts';
import { type ControlReader, readControl } from './double-control.ts';
import { type DoubleKind, KINDS } from './double-kind.ts';
import { createDoubleReads } from './double-reads.ts';
import { createDoubleRefusals } from './double-refusals.ts';
import { type DoubleStore, openDoubleStore } from './double-store.ts';

interface DoubleOptions {
  readonly folder: string;
  /** A port of 127.0.0.1; 0: any free one. */
  readonly port: number;
  /** Whose behaviour it has where versions differ; default 24.6. */
  readonly kind?: DoubleKind | undefined;
  /** The control file of tests. */
  readonly control?: string | undefined;
  /** The leader's clock, in milliseconds; absent: this machine's clock, set back a little from time to time. */
  readonly now?: (() => number) | undefined;
}

interface RunningDouble {
  readonly port: number;
  close(): void;
}

const HOST = '127.0.0.1';
/** The largest message that the engine takes. */
const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
const METHODS = ['read', 'append', 'batchappend', 'delete', 'tombstone'];
/** How often the control file is polled, in milliseconds. */
const LOOK_EVERY_MS = 20;
/** How far and how often the leader's clock jumps back and forth, as when the leader changes. Milliseconds. */
const CLOCK_STEP_MS = 40;
const CLOCK_TURN_MS = 10_000;

/**
 * A double of EventStoreDB's protocol, and not EventStoreDB. One process keeps events in a SQLite file. It is for trying,
 * testing and developing where EventStoreDB cannot be installed. It speaks as much of the protocol as the official client
 * needs to append, read, delete and subscribe to all streams. It answers as EventStoreDB 22.10 and 24.6 were seen to answer,
 * wrong requests too; `kind` chooses where they differ. Like the engine it has gaps between positions, system events among
 * user events, a clock that may go back, and a size limit of one append. An acknowledged append is on disk. It has no
 * users, no TLS, no projections, no persistent subscriptions and no other nodes.
 */
export async function startDouble({
  folder,
  port,
  kind = '24.6',
  control: file,
  now,
}: DoubleOptions): Promise<RunningDouble> {
  const parts: { dropSubscriptions?: () => void; muteSubscriptions?: () => void; store?: DoubleStore } = {};
  const control = readControl(file, ({ dropSubscriptions, muteSubscriptions, log }, before) => {
    if (log !== before.log) parts.store?.reset();
    if (muteSubscriptions) parts.muteSubscriptions?.();
    if (dropSubscriptions) parts.dropSubscriptions?.();
  });
  function leadersClock(): number {
    if (now) return now();
    const { created, clockOffset } = control.current;
    const time = Date.now();
    const step = Math.floor(time / CLOCK_TURN_MS) % 2 === 0 ? 0 : -CLOCK_STEP_MS;
    return created ?? time + (clockOffset ?? step);
  }
  const store = openDoubleStore(join(folder, 'events.db'), leadersClock, () => control.current.forgetful ?? false);
  const refusals = createDoubleRefusals(control);
  const { read, dropSubscriptions, muteSubscriptions } = createDoubleReads({
    store,
    control,
    refusals,
    kind: KINDS[kind],
  });
  Object.assign(parts, { store, dropSubscriptions, muteSubscriptions });
  const server = new Server({ 'grpc.max_receive_message_length': MAX_MESSAGE_BYTES });
  let bound = port;
  server.addService(StreamsService, { read, ...createDoubleAppends({ store, control, refusals }) });
  server.addService(GossipService, {
    read: (_call: unknown, answer: sendUnaryData<gossip.ClusterInfo>) => answer(null, membersOf(control, bound)),
  });
  server.addService(ServerFeaturesService, {
    getSupportedMethods: (_call: unknown, answer: sendUnaryData<features.SupportedMethods>) =>
      answer(null, supported(KINDS[kind].version)),
  });
  const looking = file === undefined ? undefined : setInterval(() => void control.current, LOOK_EVERY_MS);
  bound = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`${HOST}:${port}`, ServerCredentials.createInsecure(), (error, given) =>
      error ? reject(error) : resolve(given),
    );
  });
  return {
    port: bound,
    close() {
      clearInterval(looking);
      server.forceShutdown();
      store.close();
    },
  };
}

function membersOf(control: ControlReader, own: number): gossip.ClusterInfo {
  const { ClusterInfo, EndPoint, MemberInfo } = gossip;
  const { members = [{ port: own, isLeader: true, isAlive: true }] } = control.current;
  const told = members.map(({ port, isLeader, isAlive }) =>
    new MemberInfo()
      .setState(isLeader ? MemberInfo.VNodeState.LEADER : MemberInfo.VNodeState.FOLLOWER)
      .setIsAlive(isAlive)
      .setTimeStamp('0')
      .setHttpEndPoint(new EndPoint().setAddress(HOST).setPort(port)),
  );
  return new ClusterInfo().setMembersList(told);
}

function supported(version: string): features.SupportedMethods {
  const methods = METHODS.map((name) =>
    new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name),
  );
  return new features.SupportedMethods().setEventStoreServerVersion(version).setMethodsList(methods);
}
