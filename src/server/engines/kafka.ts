import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Engine, EngineMissing, type EngineStart, type RunningEngine } from './engine.ts';
import { startProcess } from './engine-process.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

const VERSION = '3.9.1';
const SCALA = '2.13';
/** The timeout for downloads by Maven, in milliseconds. */
const FETCH_TIMEOUT = 300_000;
const NODE_ID = 1;
const HOST = '127.0.0.1';

/** A logging library. Without one Kafka would not say why it ends. */
const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>ledgerline</groupId>
  <artifactId>kafka-programs</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_${SCALA}</artifactId>
      <version>${VERSION}</version>
    </dependency>
    <dependency>
      <groupId>org.slf4j</groupId>
      <artifactId>slf4j-simple</artifactId>
      <version>1.7.36</version>
    </dependency>
  </dependencies>
</project>
`;

/** A small heap, few threads, and the compiler that starts fastest. */
const JAVA_OPTIONS = [
  ...['-Xms64m', '-Xmx384m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-Xshare:auto'],
  ...['-Djava.awt.headless=true', '-Dorg.slf4j.simpleLogger.defaultLogLevel=warn'],
];

/** One node of Kafka, broker and controller in one. It listens on this machine only. */
export const kafkaEngine: Engine = {
  name: 'broker',

  async fetch(programs) {
    await classPath(programs);
  },

  async start({ folder, port, programs }: EngineStart): Promise<RunningEngine> {
    const classes = await classPath(programs);
    await mkdir(folder, { recursive: true });
    const settings = join(folder, 'server.properties');
    await writeFile(settings, properties(folder, port, await freePort()));
    const java = (main: string, ...rest: string[]) => [...JAVA_OPTIONS, '-cp', classes, main, ...rest];
    if (!existsSync(join(folder, 'data', 'meta.properties'))) {
      await run('java', java('kafka.tools.StorageTool', 'format', '-t', newClusterId(), '-c', settings));
    }
    return startProcess({
      name: 'broker',
      url: `kafka://${HOST}:${port}`,
      folder,
      program: 'java',
      arguments: java('kafka.Kafka', settings),
      answers: () => listens(port),
    });
  },
};

/** Does not begin with a dash, which would look like an option. */
function newClusterId(): string {
  const bytes = randomBytes(16);
  bytes[0]! &= 0x7f;
  return bytes.toString('base64url');
}

/** The class path of Kafka's jars. @throws EngineMissing */
async function classPath(programs: string): Promise<string> {
  const folder = join(programs, `kafka-${VERSION}`);
  const get = `mvn org.apache.maven.plugins:maven-dependency-plugin:copy-dependencies -f ${join(folder, 'pom.xml')}`;
  await run('java', ['-version']).catch((error: unknown) => {
    throw new EngineMissing('broker', 'java', 'apt-get install default-jre-headless', { cause: error });
  });
  if (!existsSync(folder)) {
    await fetchJars(folder).catch((error: unknown) => {
      throw new EngineMissing('broker', `Kafka ${VERSION}`, get, { cause: error });
    });
  }
  return join(folder, 'jars', '*');
}

/** Created completely or not at all, since others may look for it at the same time. */
async function fetchJars(folder: string): Promise<void> {
  const own = `${folder}.${randomUUID()}`;
  await mkdir(own, { recursive: true });
  try {
    await writeFile(join(own, 'pom.xml'), POM);
    await run(
      'mvn',
      [
        ...['-q', '-B', '-f', join(own, 'pom.xml'), 'dependency:copy-dependencies', '-DincludeScope=runtime'],
        `-DoutputDirectory=${join(own, 'jars')}`,
      ],
      { timeout: FETCH_TIMEOUT },
    );
    await rename(own, folder).catch((error: NodeJS.ErrnoException) => {
      // Another process was faster.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error;
    });
  } finally {
    await rm(own, { recursive: true, force: true });
  }
}

function properties(folder: string, port: number, controllerPort: number): string {
  const settings = {
    'process.roles': 'broker,controller',
    'node.id': NODE_ID,
    'controller.quorum.voters': `${NODE_ID}@${HOST}:${controllerPort}`,
    listeners: `PLAINTEXT://${HOST}:${port},CONTROLLER://${HOST}:${controllerPort}`,
    'advertised.listeners': `PLAINTEXT://${HOST}:${port}`,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'log.dirs': join(folder, 'data'),
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'transaction.state.log.num.partitions': 4,
    // Short, so that a dead group member is noticed soon.
    'group.min.session.timeout.ms': 1000,
    'group.initial.rebalance.delay.ms': 0,
    'num.network.threads': 2,
    'num.io.threads': 4,
    'num.recovery.threads.per.data.dir': 2,
    'log.cleaner.dedupe.buffer.size': 16 * 1024 * 1024,
    'log.index.size.max.bytes': 1024 * 1024,
    'controlled.shutdown.enable': false,
  };
  return Object.entries(settings)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: HOST, port });
    socket.once('error', () => resolve(false));
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
  });
}
