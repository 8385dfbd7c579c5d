import { DAY, HOUR } from '../../domain/primitives/time.ts';
import type { BrokerClient, TopicSettings } from './broker-client.ts';

/** Of each topic whose partitions divide records: the same number in all of them, for ever. */
export const PARTITIONS = 12;

/** One append of the log has 1 MiB at most, and its record some headers. */
const RECORD_BATCH = 2 * 1024 * 1024;
const MESSAGE_BATCH = 1024 * 1024;

export interface Topics {
  /** Of the names of groups, too. */
  readonly prefix: string;
  /** Of each of them. */
  readonly partitions: number;
  /** The records of the log, divided by `topicOf`. The first also tells from where on there are all. */
  readonly facts: readonly string[];
  /** Under which the one who writes `facts` is known to the broker. */
  readonly relayTransactionalId: string;
  readonly changes: string;
  readonly ingest: string;
  readonly deadLetters: string;
}

/** @param prefix keeps apart those who share a broker */
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

/** Which of `facts` has the records of a stream: prices have one of their own, for they are most of all. */
export const factsTopicIndex = (stream: string): number =>
  FACTS_TOPIC_OF_STREAM[stream.slice(0, stream.indexOf('-'))] ?? REST;

/** Where the number of partitions is kept that the topics were begun with. */
export interface PartitionCountStore {
  read(): Promise<number | undefined>;
  write(partitions: number): Promise<void>;
}

/** A topic has another number of partitions than it was begun with: what is where would no longer be known. */
export class PartitionsChanged extends Error {
  readonly code = 'partitions_changed';
  constructor(subject: string, present: number, begun: number) {
    super(`${subject} has ${present} partitions, but this cluster was begun with ${begun}`);
    this.name = 'PartitionsChanged';
  }
}

type TopicGroup = 'facts' | 'changes' | 'ingest';

/**
 * Makes the topics that are missing.
 * @throws PartitionsChanged, BrokerAway, what `kept` throws
 */
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
    // With its headers a message is a little longer than it was.
    { topic: deadLetters, partitions, retentionMs: 30 * DAY, maxBytes: 2 * MESSAGE_BATCH },
  ],
};
