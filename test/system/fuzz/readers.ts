import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { gzipSync } from 'node:zlib';
import { parseMessage } from '../../../src/domain/feed/parse-message.ts';
import type { BrokerClient, ConsumedBatch, ConsumeOptions } from '../../../src/messaging/broker/broker-client.ts';
import { openIngestConsumer } from '../../../src/messaging/ingest-consumer.ts';
import { JsonRefused } from '../../../src/platform/json/bounded-json.ts';
import { ConfigError } from '../../../src/platform/settings/config-error.ts';
import { readConfigFile } from '../../../src/platform/settings/config-file.ts';
import { actionNetworkProvider } from '../../../src/sources/action-network/provider.ts';
import { parseAnswer } from '../../../src/sources/connectors/answer-classification.ts';
import { readAnswer } from '../../../src/sources/connectors/request-runner.ts';
import { espnProvider } from '../../../src/sources/espn/provider.ts';
import { IMPORTERS } from '../../../src/sources/importers.ts';
import { type Provider, UnknownAnswerShape } from '../../../src/sources/provider-base/provider.ts';
import { theOddsApiProvider } from '../../../src/sources/the-odds-api/provider.ts';
import { lineOf } from '../../api/fuzz/feed-bodies.ts';
import { hostileJson, hostileValue, mutated } from '../../api/fuzz/hostile.ts';
import type { Random } from '../../api/fuzz/random.ts';
import type { smallServer } from '../properties/small-server.ts';
import { NOW } from '../properties/world.ts';
import { ANSWERS, CONFIG_FILE, CSV_FILES } from './sound-contents.ts';

/** Reads one malformed input; rejects if it is dealt with in another way than is documented. */
export type Reader = (random: Random) => Promise<void>;

const PROVIDERS: Readonly<Record<string, () => Provider>> = {
  espn: () => espnProvider(),
  'the-odds-api': () =>
    theOddsApiProvider({ regions: ['us'], markets: ['h2h'], eventMarkets: [], scores: true } as never),
  'action-network': () => actionNetworkProvider(),
};

/** JSON text, mutated; now and then cut off, or with a wrong byte. */
function textOf(base: unknown, random: Random): Buffer {
  const value = random.chance(0.9) ? mutated({ base }, random)['base'] : hostileValue(random);
  const bytes = Buffer.from(hostileJson(value ?? null) ?? 'null');
  if (bytes.length === 0 || random.chance(0.8)) return bytes;
  if (random.chance(0.5)) return bytes.subarray(0, random.below(bytes.length));
  bytes[random.below(bytes.length)] = random.below(256);
  return bytes;
}

/** Answers of the connectors' providers: refused by the bounds, of an unknown shape, or read. */
function answerReader(): Reader {
  const providers = new Map(Object.entries(PROVIDERS).map(([name, open]) => [name, open()]));
  return async (random) => {
    const { provider: name, path, query, body } = random.pick(ANSWERS);
    const value = await parseAnswer(textOf(body, random).toString());
    if (value instanceof JsonRefused) return;
    const answer = { request: { path, query }, body: value, observedAt: NOW, arrivedAt: NOW };
    try {
      // What cannot be taken of the messages is the intake's to refuse.
      for (const message of (await readAnswer(providers.get(name)!, answer)).messages) parseMessage(message);
    } catch (error) {
      if (!(error instanceof UnknownAnswerShape)) throw error;
    }
  };
}

/** What importers say of a file that they cannot read. */
const REFUSED = /^(unknown_file_shape|unreadable_file|missing_fact|CSV_\w+)$/;

/** Files of the importers: refused in a line that names them, or translated. */
const fileReader: Reader = async (random) => {
  const importer = random.pick(IMPORTERS);
  const file = {
    name: random.pick(['f', 'f.json', 'f.csv', 'f.ndjson']),
    open: () => Readable.from([bytesFor(importer.name, random)]),
  };
  try {
    for await (const item of importer.translate(file, { at: '2026-09-01T00:00:00Z' })) {
      if ('message' in item) parseMessage(item.message);
    }
  } catch (error) {
    if (!REFUSED.test(String((error as { code?: unknown }).code))) throw error;
  }
};

function bytesFor(importer: string, random: Random): Buffer {
  const csv = CSV_FILES[importer];
  if (csv === undefined || random.chance(0.2)) {
    const { body } = random.pick(ANSWERS);
    const text = textOf(body, random);
    if (random.chance(0.7)) return text;
    const line = {
      received_at: '2026-09-01T00:00:00Z',
      url: 'http://x/apis',
      status: 200,
      headers: {},
      body: text.toString(),
    };
    return Buffer.from(`${hostileJson(mutated(line, random))}\n`);
  }
  const cells = csv.split(/(?<=[,\n])/);
  for (let changes = 1 + random.below(4); changes > 0; changes--) {
    const value = random.chance(0.5)
      ? hostileJson(hostileValue(random))
      : random.pick(['"', '', 'NA', '-', '1e9', '\n', '""x']);
    cells[random.below(cells.length)] = `${value}${random.pick([',', '\n', ''])}`;
  }
  return Buffer.from(cells.join(''));
}

/** Messages of the topic, through the consumer: on disk or a dead letter, and the offset moves. */
function topicReader(server: Awaited<ReturnType<typeof smallServer>>) {
  let consuming: ConsumeOptions | undefined;
  let letters = 0;
  const failures: unknown[] = [];
  const broker = {
    makeTopics: async () => new Map(),
    consume: (options: ConsumeOptions) => {
      consuming = options;
      return { partitions: [0], close: async () => {} };
    },
    committed: async () => [0],
    openTransactions: async () => ({
      write: async (messages: readonly unknown[]) => {
        letters += messages.length;
      },
      close: async () => {},
    }),
  } as unknown as BrokerClient;
  const consumer = openIngestConsumer({
    broker,
    intake: server.intake,
    delay: async () => {},
    onRetry: (error) => failures.push(error),
  });
  let offset = 0;
  const read: Reader = async (random) => {
    while (!consuming) await new Promise((resolve) => setImmediate(resolve));
    const value = random.chance(0.05) ? null : random.chance(0.1) ? gzipSync(lineOf(random)) : lineOf(random);
    const before = letters;
    let moved = false;
    const batch = {
      partition: 0,
      messages: [{ offset, key: null, value, headers: {} }],
      next: ++offset,
      end: offset,
      isAssigned: () => true,
      commit: async () => {
        moved = true;
      },
      markCommitted: () => {
        moved = true;
      },
      heartbeat: async () => {},
    };
    await consuming.onBatch(batch as unknown as ConsumedBatch);
    if (failures.length > 0) throw failures[0];
    if (!moved || letters > before + 1) throw new Error('the offset did not move, or a letter came twice');
  };
  return { read, close: () => consumer.close() };
}

/** CONFIG files: refused with the variable's name, or taken. */
function configReader(folder: string): Reader {
  const file = join(folder, 'config.json');
  return async (random) => {
    writeFileSync(file, textOf(CONFIG_FILE, random));
    try {
      readConfigFile(file);
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
    }
  };
}

/** All ways in that are not HTTP. @param server takes what comes in by the topic */
export function openReaders(server: Awaited<ReturnType<typeof smallServer>>) {
  const folder = mkdtempSync(join(tmpdir(), 'll-fuzz-'));
  const topic = topicReader(server);
  const readers: readonly (readonly [name: string, read: Reader])[] = [
    ['an answer of a provider', answerReader()],
    ['a file of an importer', fileReader],
    ['a message of the topic', topic.read],
    ['a CONFIG file', configReader(folder)],
  ];
  return {
    readers,
    async close() {
      await topic.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
