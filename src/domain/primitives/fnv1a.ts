const utf8 = new TextEncoder();

/**
 * FNV-1a, 32 bits, over a text in UTF-8 (http://www.isthe.com/chongo/tech/comp/fnv/). Ids and partitions follow from it,
 * so it must never change.
 * @returns an unsigned integer
 */
export function fnv1a(text: string): number {
  let hash = 0x811c9dc5;
  for (const byte of utf8.encode(text)) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}
