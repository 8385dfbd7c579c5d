import { join } from 'node:path';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials, type sendUnaryData } from '@grpc/grpc-js';
import { readControl } from './double-control.ts';
import { type DoubleStore, openDoubleStore } from './double-store.ts';
import { createDoubleStreams, type DoubleStreams } from './double-streams.ts';

interface DoubleOptions {
  readonly folder: string;
  /** A port of 127.0.0.1; 0: any free one. */
  readonly port: number;
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
/** Behaves like this version of EventStoreDB, within its limits. */
const VERSION = '24.10.0';
/** How often the control file is polled, in milliseconds. */
const LOOK_EVERY_MS = 20;
/** How far and how often the leader's clock jumps back and forth, as when the leader changes. Milliseconds. */
const CLOCK_STEP_MS = 40;
const CLOCK_TURN_MS = 10_000;

/**
 * A double of EventStoreDB's protocol, and not EventStoreDB. One process keeps events in a SQLite file. It is for trying,
 * testing and developing where EventStoreDB cannot be installed. It speaks as much of the protocol as the official client
 * needs to append, read and subscribe to all streams. Like the engine it has gaps between positions, system events among
 * user events, a clock that may go back, and a size limit of one append. An acknowledged append is on disk. It has no
 * users, no TLS, no projections, no persistent subscriptions and no other nodes.
 */
export async function startDouble({ folder, port, control: file, now }: DoubleOptions): Promise<RunningDouble> {
  const parts: { streams?: DoubleStreams; store?: DoubleStore } = {};
  const control = readControl(file, ({ dropSubscriptions, log }, before) => {
    if (log !== before.log) parts.store?.reset();
    if (dropSubscriptions) parts.streams?.dropSubscriptions();
  });
  function leadersClock(): number {
    if (now) return now();
    const { created, clockOffset } = control.current;
    const time = Date.now();
    const step = Math.floor(time / CLOCK_TURN_MS) % 2 === 0 ? 0 : -CLOCK_STEP_MS;
    return created ?? time + (clockOffset ?? step);
  }
  const store = openDoubleStore(join(folder, 'events.db'), leadersClock, () => control.current.forgetful ?? false);
  const streams = createDoubleStreams(store, control);
  Object.assign(parts, { store, streams });
  const server = new Server({ 'grpc.max_receive_message_length': 17 * 1024 * 1024 });
  let bound = port;
  const { read, append } = streams;
  server.addService(pick(StreamsService, ['read', 'append']), { read, append });
  server.addService(GossipService, {
    read: (_call: unknown, answer: sendUnaryData<gossip.ClusterInfo>) => answer(null, oneMember(bound)),
  });
  server.addService(ServerFeaturesService, {
    getSupportedMethods: (_call: unknown, answer: sendUnaryData<features.SupportedMethods>) =>
      answer(null, supported()),
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

function pick<Service extends object, Name extends keyof Service>(service: Service, names: readonly Name[]) {
  return Object.fromEntries(names.map((name) => [name, service[name]])) as unknown as Service & Record<string, never>;
}

function oneMember(port: number): gossip.ClusterInfo {
  const { ClusterInfo, EndPoint, MemberInfo } = gossip;
  const member = new MemberInfo().setState(MemberInfo.VNodeState.LEADER).setIsAlive(true).setTimeStamp('0');
  return new ClusterInfo().setMembersList([member.setHttpEndPoint(new EndPoint().setAddress(HOST).setPort(port))]);
}

function supported(): features.SupportedMethods {
  const methods = ['read', 'append'].map((name) =>
    new features.SupportedMethod().setServiceName('event_store.client.streams.streams').setMethodName(name),
  );
  return new features.SupportedMethods().setEventStoreServerVersion(VERSION).setMethodsList(methods);
}
