import { DAY, HOUR } from '../../domain/primitives/time.ts';
import type { BrokerClient, TopicSettings } from './broker-client.ts';

/** The number of partitions of each topic that divides records. It is the same for all of them, and never changes. */
export const PARTITIONS = 12;

/** One append of the log has at most 1 MiB; its record adds some headers. */
const RECORD_BATCH = 2 * 1024 * 1024;
const MESSAGE_BATCH = 1024 * 1024;

export interface Topics {
  /** Also the prefix of the names of groups. */
  readonly prefix: string;
  /** The number of partitions of each topic. */
  readonly partitions: number;
  /** The topics of the log's records, divided by `factsTopicIndex`. The first one also holds the markers. */
  readonly facts: readonly string[];
  /** The id under which the broker knows the writer of `facts`. */
  readonly relayTransactionalId: string;
  readonly changes: string;
  readonly ingest: string;
  readonly deadLetters: string;
}

/** @param prefix separates installations that share a broker */
export const topicsWithPrefix = (prefix = '', partitions = PARTITIONS): Topics => ({
  prefix,
  partitions,
  facts: ['events', 'odds', 'rest', 'accounts'].map((name) => `${prefix}facts.${name}.v1`),
  relayTransactionalId: `${prefix}relay.v1`,
  changes: `${prefix}changes.v1`,
  ingest: `${prefix}ingest.v1`,
  deadLetters: `${prefix}ingest.v1.dead-letter`,
});

const FACTS_TOPIC_OF_STREAM: Readonly<Record<string, number>> = { event: 0, odds: 1, account: 3, receipt: 3 };
const REST = 2;

/**
 * The index in `facts` of the topic for a stream's records. Prices have their own topic, because most records are
 * prices.
 */
export const factsTopicIndex = (stream: string): number =>
  FACTS_TOPIC_OF_STREAM[stream.slice(0, stream.indexOf('-'))] ?? REST;

/** Stores the number of partitions with which the topics were created. */
export interface PartitionCountStore {
  read(): Promise<number | undefined>;
  write(partitions: number): Promise<void>;
}

/** A topic has another number of partitions than at the start. Records could no longer be found by partition. */
export class PartitionsChanged extends Error {
  readonly code = 'partitions_changed';
  constructor(subject: string, present: number, begun: number) {
    super(`${subject} has ${present} partitions, but this cluster was begun with ${begun}`);
    this.name = 'PartitionsChanged';
  }
}

type TopicGroup = 'facts' | 'changes' | 'ingest';

/** Creates the missing topics. @throws PartitionsChanged, BrokerUnavailable, the errors of `kept` */
export async function makeTopics(
  client: Pick<BrokerClient, 'makeTopics'>,
  topics: Topics,
  groups: readonly TopicGroup[],
  { partitions = topics.partitions, kept }: { readonly partitions?: number; readonly kept?: PartitionCountStore } = {},
): Promise<void> {
  const begun = (await kept?.read()) ?? partitions;
  if (begun !== partitions) throw new PartitionsChanged('this program', partitions, begun);
  const plans = groups.flatMap((group) => PLANS[group](topics, partitions));
  for (const [topic, count] of await client.makeTopics(plans)) {
    if (count !== partitions) throw new PartitionsChanged(`topic ${topic}`, count, partitions);
  }
  await kept?.write(partitions);
}

const PLANS: Readonly<Record<TopicGroup, (topics: Topics, partitions: number) => readonly TopicSettings[]>> = {
  facts: ({ facts }, partitions) =>
    facts.map((topic) => ({ topic, partitions, retentionMs: 7 * DAY, maxBytes: RECORD_BATCH })),
  changes: ({ changes: topic }, partitions) => [{ topic, partitions, retentionMs: HOUR, maxBytes: MESSAGE_BATCH }],
  ingest: ({ ingest, deadLetters }, partitions) => [
    { topic: ingest, partitions, retentionMs: 7 * DAY, maxBytes: MESSAGE_BATCH },
    // With its headers a dead letter is a little longer than the message was.
    { topic: deadLetters, partitions, retentionMs: 30 * DAY, maxBytes: 2 * MESSAGE_BATCH },
  ],
};
