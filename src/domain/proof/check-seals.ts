import { isDeepStrictEqual } from 'node:util';
import { DAY, formatDate, parseDate } from '../primitives/time.ts';
import { experimentLeaf, type SealedExperiment } from './experiment-leaf.ts';
import { MerkleTree } from './merkle-tree.ts';
import { receiptLeaf, type SealedReceipt } from './receipt-leaf.ts';
import { hashOfSeal, type Seal } from './seal.ts';
import type { FileLeaf, SealFile } from './seal-file.ts';
import { findChangedValue, HASH_TEXT, hashOfLeaf, SALT_TEXT } from './sealed-leaf.ts';

/** Something that was not as it was sealed. */
export interface SealFault {
  /** The name of the document: a path or an address. */
  readonly document: string;
  /** Null: the document is no seal at all. */
  readonly date: string | null;
  /** From 0; null: no leaf is named. */
  readonly leaf: number | null;
  /** The path of the first value in the leaf that was changed: `bets[0].probability`; null if it cannot be told. */
  readonly path: string | null;
  readonly says: string;
  /** What was sealed, and what the leaves give now; null where roots are not what differs. */
  readonly sealedRoot: string | null;
  readonly root: string | null;
}

export interface NamedDocument {
  readonly name: string;
  /** Parsed JSON: a day's file, a seal alone (as of `/record/seals/latest`), a receipt or an experiment with its seal. */
  readonly value: unknown;
}

export interface SealsChecked {
  readonly files: number;
  readonly leaves: number;
  /** Leaves whose content is not public: only their hashes could be checked. */
  readonly hidden: number;
  readonly faults: readonly SealFault[];
}

/** Faults that are told. One is enough to fail. */
const MAX_FAULTS = 20;
const DATE = /^\d{4}-\d{2}-\d{2}$/;

/**
 * Checks documents with nothing but themselves: each leaf against its hash, the hashes against the root, each seal
 * against that of the day before, and the same number against itself where two documents hold it.
 */
export function checkSeals(documents: readonly NamedDocument[]): SealsChecked {
  const faults: SealFault[] = [];
  const report = (fault: SealFault) => {
    if (faults.length < MAX_FAULTS) faults.push(fault);
  };
  const seals = new Map<string, { readonly seal: Seal; readonly document: string }>();
  const hashes = new Set<string>();
  let [files, leaves, hidden] = [0, 0, 0];
  const receipts: { readonly document: string; readonly leaf: ReceiptLeaf; readonly value: unknown }[] = [];
  const results = new Map<string, SealedContent>();
  for (const { name: document, value } of documents) {
    const receipt = receiptLeafOf(value);
    if (receipt) {
      receipts.push({ document, leaf: receipt, value });
      continue;
    }
    const file = asFile(value);
    const seal = file?.seal ?? asSeal(value);
    if (!seal) {
      report(
        plainFault(document, null, 'is no seal: neither a file of /record/seals nor an answer of /record/seals/latest'),
      );
      continue;
    }
    const { hash } = value as { readonly hash?: unknown };
    if (hash !== undefined && hash !== hashOfSeal(seal)) {
      report(
        plainFault(document, seal.date, `has the hash ${hashOfSeal(seal)}; it says ${String(hash).slice(0, 100)}`),
      );
    }
    const known = seals.get(seal.date);
    if (known && !isDeepStrictEqual(known.seal, seal)) {
      const says = `is not the seal that ${known.document} has of this day`;
      report({ ...plainFault(document, seal.date, says), sealedRoot: known.seal.root, root: seal.root });
    }
    if (!known) seals.set(seal.date, { seal, document });
    if (!file) continue;
    files += 1;
    leaves += file.leaves.length;
    for (const leaf of file.leaves) {
      if (leaf.content === undefined) hidden += 1;
      hashes.add(leaf.hash);
      const content = leaf.content as SealedContent | undefined;
      if (content?.['kind'] === 'experiment_result') results.set(String(content['id']), content);
    }
    for (const fault of faultsOfFile(document, file)) report(fault);
  }
  for (const fault of faultsOfChain(seals)) report(fault);
  for (const { document, leaf, value } of receipts) {
    const hash = hashOfLeaf(leaf.salt, leaf.content).toString('hex');
    if (!hashes.has(hash))
      report(plainFault(document, null, `its leaf ${hash} stands in none of the days that were given`));
    const says = leaf.isExperiment && faultOfResult(value as ExperimentAnswer, results);
    if (says) report(plainFault(document, null, says));
  }
  return { files, leaves, hidden, faults };
}

const plainFault = (document: string, date: string | null, says: string): SealFault => ({
  document,
  date,
  leaf: null,
  path: null,
  says,
  sealedRoot: null,
  root: null,
});

function* faultsOfFile(document: string, { seal, leaves }: SealFile): Generator<SealFault> {
  const tree = new MerkleTree();
  const changed: Omit<SealFault, 'sealedRoot' | 'root'>[] = [];
  for (const [leaf, one] of leaves.entries()) {
    const hash = one.content === undefined ? one.hash : hashOfLeaf(one.salt!, one.content).toString('hex');
    tree.add(Buffer.from(hash, 'hex'));
    if (hash !== one.hash) changed.push({ document, date: seal.date, leaf, ...changeIn(one, hash) });
  }
  const roots = { sealedRoot: seal.root, root: tree.root().toString('hex') };
  for (const fault of changed) yield { ...fault, ...roots };
  if (changed.length > 0) return;
  if (tree.size !== seal.leaves) {
    yield { ...plainFault(document, seal.date, `holds ${tree.size} leaves; ${seal.leaves} were sealed`), ...roots };
  } else if (roots.root !== seal.root) {
    yield {
      ...plainFault(document, seal.date, 'its leaves are not those that were sealed, or not in their order'),
      ...roots,
    };
  }
}

function changeIn(
  { content, marks = '' }: FileLeaf,
  hash: string,
): { readonly path: string | null; readonly says: string } {
  const found = findChangedValue(content, marks);
  return found
    ? { path: found.path, says: `was changed: ${found.path} is ${found.value} now` }
    : { path: null, says: `was changed: its hash is ${hash} now` };
}

function* faultsOfChain(
  seals: ReadonlyMap<string, { readonly seal: Seal; readonly document: string }>,
): Generator<SealFault> {
  for (const { seal, document } of seals.values()) {
    const before = seals.get(formatDate(parseDate(seal.date)! - DAY));
    if (!before) continue;
    const expected = hashOfSeal(before.seal);
    if (seal.previous === expected) continue;
    const says = `names ${seal.previous} as the seal of the day before; that of ${before.document} is ${expected}`;
    yield plainFault(document, seal.date, says);
  }
}

type SealedContent = Readonly<Record<string, unknown>>;
type ExperimentAnswer = SealedContent & { readonly id: string };

/** What the leaf of a result says, by the member of the answer that shows it. */
const RESULT_MEMBERS: Readonly<Record<string, string>> = {
  closed_at: 'at',
  until: 'until',
  verdict: 'verdict',
  reasons: 'reasons',
  measures: 'measures',
  gates_measured: 'gates',
  selections: 'selections',
  exclusions: 'exclusions',
  left_out: 'left_out',
};

/** What is wrong with the result that an experiment's answer shows; undefined: nothing, or it has none yet. */
function faultOfResult(answer: ExperimentAnswer, results: ReadonlyMap<string, SealedContent>): string | undefined {
  const sealed = results.get(answer.id);
  if (!sealed) {
    const { closed_at } = answer;
    if (typeof closed_at !== 'string') return undefined;
    return `its result stands in none of the days that were given: it was closed on ${closed_at.slice(0, 10)}`;
  }
  const { definition_hash } = sealed;
  // Results that were sealed earlier do not name it.
  if (definition_hash !== undefined && definition_hash !== answer['hash'])
    return 'was changed: hash is not the definition_hash that was sealed of its result';
  const changed = Object.entries(RESULT_MEMBERS).find(([own, name]) => !isDeepStrictEqual(answer[own], sealed[name]));
  return changed && `was changed: ${changed[0]} is not the ${changed[1]} that was sealed of its result`;
}

interface ReceiptLeaf {
  readonly isExperiment: boolean;
  readonly salt: string;
  readonly content: unknown;
}

/** The leaf of a receipt or an experiment, as the answer of `/v1/grade/receipts/ID` or `/v1/experiments/ID` has it. */
function receiptLeafOf(value: unknown): ReceiptLeaf | undefined {
  if (!isObject(value) || !isObject(value['seal']) || value['leaves'] !== undefined) return undefined;
  const { salt } = value['seal'];
  if (typeof salt !== 'string' || !SALT_TEXT.test(salt)) return undefined;
  const isExperiment = typeof value['posted_at'] === 'string' && isHash(value['hash']);
  return {
    isExperiment,
    salt,
    content: isExperiment
      ? experimentLeaf(value as unknown as SealedExperiment)
      : receiptLeaf(value as unknown as SealedReceipt),
  };
}

function asFile(value: unknown): SealFile | undefined {
  if (!isObject(value)) return undefined;
  const seal = asSeal(value['seal']);
  const { leaves } = value;
  const hash = String(value['hash']);
  return seal && Array.isArray(leaves) && leaves.every(isLeaf) ? { seal, hash, leaves } : undefined;
}

function asSeal(value: unknown): Seal | undefined {
  if (!isObject(value)) return undefined;
  const { date, root, previous, leaves, position } = value;
  const isWell =
    typeof date === 'string' &&
    DATE.test(date) &&
    parseDate(date) !== null &&
    isHash(root) &&
    (previous === null || isHash(previous)) &&
    Number.isSafeInteger(leaves) &&
    typeof position === 'string' &&
    /^\d{1,30}$/.test(position);
  return isWell ? ({ date, root, previous, leaves, position } as Seal) : undefined;
}

const isHash = (value: unknown): value is string => typeof value === 'string' && HASH_TEXT.test(value);

function isLeaf(value: unknown): value is FileLeaf {
  if (!isObject(value) || !isHash(value['hash'])) return false;
  const { salt, content, marks } = value;
  if (content === undefined) return salt === undefined;
  const hasSalt = typeof salt === 'string' && SALT_TEXT.test(salt);
  return hasSalt && isObject(content) && (marks === undefined || typeof marks === 'string');
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
