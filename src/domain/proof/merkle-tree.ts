import { createHash, hash } from 'node:crypto';

/** A SHA-256 of 32 bytes. */
export type Digest = Buffer;

const LEAF_PREFIX = Buffer.from([0x00]);
const NODE_PREFIX = Buffer.from([0x01]);

/** The root of a tree without leaves: the SHA-256 of nothing (RFC 6962, section 2.1). */
export const EMPTY_ROOT: Digest = hash('sha256', Buffer.alloc(0), 'buffer');

/** The hash of a leaf: SHA-256(0x00 || parts). The prefix keeps a leaf from passing for a node (RFC 6962, section 2.1). */
export function leafHash(...parts: readonly (Uint8Array | string)[]): Digest {
  const digest = createHash('sha256').update(LEAF_PREFIX);
  for (const part of parts) digest.update(part);
  return digest.digest();
}

const nodeHash = (left: Digest, right: Digest): Digest =>
  createHash('sha256').update(NODE_PREFIX).update(left).update(right).digest();

/** A full subtree: its root, and its number of leaves, a power of two. */
interface Subtree {
  readonly size: number;
  readonly root: Digest;
}

/**
 * The Merkle tree of RFC 6962 over leaves that are added one by one. It holds one hash for each bit of the number of
 * leaves, and never the leaves.
 */
export class MerkleTree {
  /** The largest first: each split is at the largest power of two. */
  readonly #subtrees: Subtree[] = [];
  #size = 0;

  /** The number of leaves. */
  get size(): number {
    return this.#size;
  }

  /** @param leaf what `leafHash` gives */
  add(leaf: Digest): void {
    this.#size += 1;
    let added: Subtree = { size: 1, root: leaf };
    for (let last = this.#subtrees.at(-1); last?.size === added.size; last = this.#subtrees.at(-1)) {
      this.#subtrees.pop();
      added = { size: 2 * added.size, root: nodeHash(last.root, added.root) };
    }
    this.#subtrees.push(added);
  }

  /** The root of the leaves so far. */
  root(): Digest {
    const roots = this.#subtrees.map(({ root }) => root);
    return roots.length === 0 ? EMPTY_ROOT : roots.reduceRight((right, left) => nodeHash(left, right));
  }
}
