import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { EMPTY_ROOT, leafHash, MerkleTree } from '../../../src/domain/proof/merkle-tree.ts';

/** The inputs of the reference test of Certificate Transparency (`merkle_tree_test.cc`), and the root over the first n. */
const INPUTS = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f'];
const ROOTS = [
  '6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d',
  'fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125',
  'aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77',
  'd37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7',
  '4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4',
  '76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef',
  'ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c',
  '5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328',
];

const treeOf = (leaves: readonly Buffer[]): string => {
  const tree = new MerkleTree();
  for (const leaf of leaves) tree.add(leafHash(leaf));
  return tree.root().toString('hex');
};

it('given no leaf, when the root is taken, then it is the SHA-256 of nothing', () => {
  expect(treeOf([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855');
  expect(EMPTY_ROOT.toString('hex')).toBe(treeOf([]));
});

it('given the inputs of the reference test, when the roots are taken, then they are those of the reference', () => {
  const roots = INPUTS.map((_, last) => treeOf(INPUTS.slice(0, last + 1).map((input) => Buffer.from(input, 'hex'))));
  expect(roots).toEqual(ROOTS);
});

/** The definition of RFC 6962, section 2.1, word by word. */
function rootByDefinition(leaves: readonly Buffer[]): Buffer {
  if (leaves.length === 1) return leafHash(leaves[0]!);
  let split = 1;
  while (2 * split < leaves.length) split *= 2;
  return nodeOf(rootByDefinition(leaves.slice(0, split)), rootByDefinition(leaves.slice(split)));
}
function nodeOf(left: Buffer, right: Buffer): Buffer {
  return createHash('sha256')
    .update(Buffer.from([1]))
    .update(left)
    .update(right)
    .digest();
}

it('given any leaves, when they are added one by one, then the root is that of the definition', () => {
  const leaf = fc.uint8Array({ maxLength: 4 }).map((bytes) => Buffer.from(bytes));
  fc.assert(
    fc.property(fc.array(leaf, { minLength: 1, maxLength: 70 }), (leaves) => {
      expect(treeOf(leaves)).toBe(rootByDefinition(leaves).toString('hex'));
    }),
    { numRuns: 30 },
  );
});
