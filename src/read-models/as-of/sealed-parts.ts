import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import type { FoldStore, ListedPart, StoredPart } from '../store/fold-store.ts';

/** A change of how anything is stored makes all of it anew. */
const FORMAT = 1;
const SUM_BYTES = 16;
const deflated = promisify(deflate);
const inflated = promisify(inflate);

/** The parts of one name in the store, compressed and with checksums. A part that is not as it was written is none. */
export interface SealedParts {
  /** In order of place. */
  list(): Promise<readonly ListedPart[]>;
  /** The contents of some of the listed parts. Missing and damaged ones are left out. */
  read(parts: readonly Pick<StoredPart, 'place' | 'note'>[]): Promise<ReadonlyMap<number, Buffer>>;
  /** The bytes that each part takes in the store. */
  write(put: readonly StoredPart[], removed: readonly number[]): Promise<readonly number[]>;
}

export interface FoldStoring {
  readonly store: FoldStore;
  /** The store has failed: what is stored is only missing then. */
  readonly onError: (error: unknown) => void;
  /** Default: `DEFAULT_SIZES`. */
  readonly sizes?: StoredSizes;
}

export interface StoredSizes {
  /** Histories of fewer records are folded as fast as they are looked up. */
  readonly from: number;
  /** At least so many records between two stored states. */
  readonly every: number;
  /** Records whose times are one part. */
  readonly block: number;
}

export const DEFAULT_SIZES: StoredSizes = { from: 2048, every: 512, block: 1024 };

/** @param version of the contents: those of others are never read */
export function sealedParts({ store, onError }: FoldStoring, name: string, version: string): SealedParts {
  const sealedVersion = `${FORMAT}.${version}`;
  const sumOf = (place: number, note: string, content: Uint8Array): Buffer =>
    createHash('sha256')
      .update(JSON.stringify([name, sealedVersion, place, note]))
      .update(content)
      .digest()
      .subarray(0, SUM_BYTES);

  async function unseal(place: number, note: string, sealed: Uint8Array): Promise<Buffer | undefined> {
    const content = sealed.subarray(SUM_BYTES);
    if (!sumOf(place, note, content).equals(sealed.subarray(0, SUM_BYTES))) return undefined;
    return (await inflated(content)) as Buffer;
  }

  return {
    async list() {
      try {
        return await store.list(name, sealedVersion);
      } catch (error) {
        onError(error);
        return [];
      }
    },
    async read(parts) {
      const found = new Map<number, Buffer>();
      try {
        const contents = await store.read(
          name,
          parts.map(({ place }) => place),
        );
        for (const { place, note } of parts) {
          const sealed = contents.get(place);
          const content = sealed && (await unseal(place, note, sealed));
          if (content) found.set(place, content);
        }
      } catch (error) {
        onError(error);
      }
      return found;
    },
    async write(put, removed) {
      const sealed: StoredPart[] = [];
      for (const { place, note, content } of put) {
        const small = await deflated(content);
        sealed.push({ place, note, content: Buffer.concat([sumOf(place, note, small), small]) });
      }
      try {
        await store.write(name, sealedVersion, sealed, removed);
      } catch (error) {
        onError(error);
      }
      return sealed.map(({ content }) => content.length);
    },
  };
}
