import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** The part of a record that moves to the archive. The rest stays in its row, by which the record is found. */
export interface ArchivedContent {
  readonly type: string;
  readonly data: string;
  readonly meta: string;
}

/** The value of `data` in a row whose content is in the archive. No JSON is empty. */
export const ARCHIVED_DATA = '';

/**
 * The number of revisions of a stream in one block; the first revision of each block is a multiple of it. Never change
 * it: archives that have been written depend on it.
 */
export const BLOCK_REVISIONS = 100;

export const firstRevisionOfBlock = (revision: number): number => revision - (revision % BLOCK_REVISIONS);

/**
 * Writes column by column, because similar values compress better side by side.
 * @throws Error when the block cannot be decoded again
 */
export function encodeBlock(contents: readonly ArchivedContent[]): Buffer {
  const columns = [
    contents.map(({ type }) => type),
    contents.map(({ meta }) => meta),
    contents.map(({ data }) => data),
  ];
  const block = deflateRawSync(JSON.stringify(columns));
  // The rows are emptied after this, and no other copy exists then. So check that the block can be decoded.
  const decoded = decodeBlock(block);
  if (decoded.length !== contents.length || !decoded.every((one, index) => isSameContent(one, contents[index]!)))
    throw new Error('a block of the archive does not give back what it was made of');
  return block;
}

export function decodeBlock(block: Uint8Array): ArchivedContent[] {
  const [types, metas, datas] = JSON.parse(inflateRawSync(block).toString()) as [string[], string[], string[]];
  return datas.map((data, index) => ({ type: types[index]!, data, meta: metas[index]! }));
}

export const isSameContent = (one: ArchivedContent, other: ArchivedContent): boolean =>
  one.data === other.data && one.meta === other.meta && one.type === other.type;
