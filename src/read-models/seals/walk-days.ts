import { isBefore, toPosition } from '../../domain/event-sourcing/position.ts';
import type { LogRecord } from '../../domain/event-sourcing/record.ts';
import { DAY, formatDate, parseDate } from '../../domain/primitives/time.ts';
import { leavesOfRecord, SEALED_TYPES } from '../../domain/proof/leaves-of-record.ts';
import { MerkleTree } from '../../domain/proof/merkle-tree.ts';
import { hashOfSeal, type Seal } from '../../domain/proof/seal.ts';
import type { SealedLeaf } from '../../domain/proof/sealed-leaf.ts';
import { allTypesExcept } from '../../domain/upcasters.ts';
import type { EventLog } from '../../event-log/port/event-log.ts';
import { yieldToEventLoop } from '../../platform/async/yield-to-event-loop.ts';

/** Contents of other types are not read. */
const UNWANTED = allTypesExcept(SEALED_TYPES);
/** Records in one read, and leaves between two turns of the event loop: some milliseconds of hashing. */
const BATCH = 200;
const LEAVES_PER_TURN = 100;

const dayAfter = (date: string): string => formatDate(parseDate(date)! + DAY);

/**
 * The seals of all days after the last one that is sealed and before today, from the log. A day holds what was recorded
 * until the first record of a later day; so a record that a slow clock dates back belongs to the day in which it stands.
 * Days without leaves have the root of the empty tree. Nothing before the first leaf of the log is sealed.
 * @param today YYYY-MM-DD: this day is not over
 */
export async function* unsealedDays(
  log: Pick<EventLog, 'readAllFrom'>,
  last: Seal | null,
  today: string,
  signal?: AbortSignal,
): AsyncGenerator<Seal> {
  let day = last && dayAfter(last.date);
  let tree = new MerkleTree();
  let position: string = last?.position ?? '0';
  let previous = last && hashOfSeal(last);
  const next = (): Seal => {
    const seal = { date: day!, root: tree.root().toString('hex'), previous, leaves: tree.size, position };
    previous = hashOfSeal(seal);
    day = dayAfter(seal.date);
    tree = new MerkleTree();
    return seal;
  };
  const after = last && toPosition(last.position);
  for await (const { record, leaves } of recordsWithLeaves(log.readAllFrom(after, readingOf(signal)))) {
    const date = record.recordedAt.slice(0, 10);
    if (day === null && leaves.length > 0) day = date;
    while (day !== null && day < date && day < today) yield next();
    if (date >= today || (day !== null && day >= today)) break;
    position = String(record.position);
    for (const { hash } of leaves) tree.add(hash);
  }
  while (day !== null && day < today) yield next();
}

/** The leaves of a sealed day, in their order. @param before the seal of the day before; null: there is none */
export async function* leavesOfDay(
  log: Pick<EventLog, 'readAllFrom' | 'readSince'>,
  seal: Pick<Seal, 'date' | 'position'>,
  before: Pick<Seal, 'position'> | null,
): AsyncGenerator<SealedLeaf> {
  for await (const { leaves } of recordsOfDay(log, seal, before)) yield* leaves;
}

/** What a leaf must be by its record, where the record says its hash alone; null: nobody can tell. */
export type LeafByRecord = (record: LogRecord) => Promise<string | null>;

async function* recordsOfDay(
  log: Pick<EventLog, 'readAllFrom' | 'readSince'>,
  seal: Pick<Seal, 'date' | 'position'>,
  before: Pick<Seal, 'position'> | null,
) {
  const end = toPosition(seal.position);
  const pages = before
    ? log.readAllFrom(toPosition(before.position), readingOf())
    : log.readSince(`${seal.date}T00:00:00.000Z`, readingOf());
  for await (const one of recordsWithLeaves(pages)) {
    if (isBefore(end, one.record.position)) return;
    yield one;
  }
}

/** A day whose seal is not what the log says, and why. */
interface SealDifference {
  readonly date: string;
  readonly reason: string;
}

interface SealsVerified {
  readonly seals: number;
  readonly leaves: number;
  readonly differences: readonly SealDifference[];
}

/**
 * Builds the tree of every sealed day again, follows the chain, and compares leaves with their records. At most a hundred
 * differences are told.
 * @param leafByRecord absent: they are not compared
 */
export async function verifySealsOfLog(
  log: EventLog,
  seals: AsyncIterable<Seal>,
  leafByRecord: LeafByRecord = async () => null,
): Promise<SealsVerified> {
  const differences: SealDifference[] = [];
  const differs = (date: string, reason: string) => {
    if (differences.length < MAX_DIFFERENCES) differences.push({ date, reason });
  };
  let before: Seal | null = null;
  let [sealed, counted] = [0, 0];
  for await (const seal of seals) {
    if (seal.previous !== (before && hashOfSeal(before)))
      differs(seal.date, 'does not name the seal of the day before');
    if (before && seal.date !== dayAfter(before.date)) differs(seal.date, `does not follow ${before.date}`);
    const tree = new MerkleTree();
    for await (const { record, leaves } of recordsOfDay(log, seal, before)) {
      for (const { hash } of leaves) tree.add(hash);
      const expected = leaves.length === 0 ? null : await leafByRecord(record);
      if (expected !== null && expected !== leaves[0]!.hash.toString('hex'))
        differs(seal.date, `has a ${record.type} at ${record.position} that does not say what was sealed of it`);
    }
    const root = tree.root().toString('hex');
    if (root !== seal.root || tree.size !== seal.leaves) {
      differs(seal.date, `has the root ${root} over ${tree.size} leaves; sealed was ${seal.root} over ${seal.leaves}`);
    }
    sealed += 1;
    counted += tree.size;
    before = seal;
  }
  return { seals: sealed, leaves: counted, differences };
}

const MAX_DIFFERENCES = 100;

const readingOf = (signal?: AbortSignal) => ({ unwanted: UNWANTED, batch: BATCH, ...(signal && { signal }) });

async function* recordsWithLeaves(pages: ReturnType<EventLog['readAllFrom']>) {
  let hashed = 0;
  for await (const page of pages) {
    for (const record of page) {
      const isSealed = (SEALED_TYPES as readonly string[]).includes(record.type);
      const leaves = isSealed ? leavesOfRecord(record) : [];
      yield { record, leaves };
      hashed += leaves.length;
      if (hashed < LEAVES_PER_TURN) continue;
      hashed = 0;
      await yieldToEventLoop();
    }
    await yieldToEventLoop();
  }
}
