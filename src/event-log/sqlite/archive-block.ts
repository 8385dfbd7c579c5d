import { deflateRawSync, inflateRawSync } from 'node:zlib';

/** What of a record lies in the archive; the rest stays in its row, by which it is found. */
export interface ArchivedContent {
  readonly type: string;
  readonly data: string;
  readonly meta: string;
}

/** What `data` holds in a row whose content lies in the archive: no JSON is empty. */
export const ARCHIVED_DATA = '';

/** So many revisions of a stream make a block: the first of each is a multiple of it. Archives that have been written
 *  depend on it, so that it may never be changed. */
export const BLOCK_REVISIONS = 100;

export const firstRevisionOfBlock = (revision: number): number => revision - (revision % BLOCK_REVISIONS);

/** Column by column, for what stands beside its like takes less room. @throws Error when it would not come out again */
export function encodeBlock(contents: readonly ArchivedContent[]): Buffer {
  const columns = [
    contents.map(({ type }) => type),
    contents.map(({ meta }) => meta),
    contents.map(({ data }) => data),
  ];
  const block = deflateRawSync(JSON.stringify(columns));
  // The rows are emptied by what is written here, and nobody else has it then.
  const again = decodeBlock(block);
  if (again.length !== contents.length || !again.every((one, index) => isSameContent(one, contents[index]!)))
    throw new Error('a block of the archive does not give back what it was made of');
  return block;
}

export function decodeBlock(block: Uint8Array): ArchivedContent[] {
  const [types, metas, datas] = JSON.parse(inflateRawSync(block).toString()) as [string[], string[], string[]];
  return datas.map((data, index) => ({ type: types[index]!, data, meta: metas[index]! }));
}

export const isSameContent = (one: ArchivedContent, other: ArchivedContent): boolean =>
  one.data === other.data && one.meta === other.meta && one.type === other.type;
