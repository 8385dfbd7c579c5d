import { hashOfSeal, type Seal } from './seal.ts';
import { type LeafContent, marksOf, type SealedLeaf } from './sealed-leaf.ts';

/** A leaf as the file of its day shows it. One that belongs to an account is a hash alone. */
export interface FileLeaf {
  readonly hash: string;
  readonly salt?: string;
  readonly content?: LeafContent;
  /** See `marksOf`. */
  readonly marks?: string;
}

/** What `/record/seals/DATE.json` holds. */
export interface SealFile {
  readonly seal: Seal;
  /** The seal's `hashOfSeal`, which the next day's seal names. */
  readonly hash: string;
  readonly leaves: readonly FileLeaf[];
}

export function toFileLeaf(leaf: SealedLeaf): FileLeaf {
  const hash = leaf.hash.toString('hex');
  if (leaf.salt === undefined) return { hash };
  const { salt, content } = leaf;
  return { hash, salt, content, marks: marksOf(content) };
}

/** The text of a day's file, piece by piece: a line a leaf. */
export async function* sealFileText(seal: Seal, leaves: AsyncIterable<SealedLeaf>): AsyncGenerator<string> {
  yield `{"seal":${JSON.stringify(seal)},"hash":"${hashOfSeal(seal)}","leaves":[`;
  let separator = '\n';
  for await (const leaf of leaves) {
    yield `${separator}${JSON.stringify(toFileLeaf(leaf))}`;
    separator = ',\n';
  }
  yield '\n]}\n';
}
