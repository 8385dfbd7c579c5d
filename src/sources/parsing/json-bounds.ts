import type { JsonBounds } from '../../platform/json/bounded-json.ts';

const MIB = 1024 * 1024;

/** A provider's answer, decompressed: far more than any real one has. */
export const ANSWER_BOUNDS: JsonBounds = { maxBytes: 8 * MIB, maxDepth: 40, maxValues: 1_000_000 };

/** A JSON file that an operator imports, decompressed: several answers may stand in one. */
export const FILE_BOUNDS: JsonBounds = { maxBytes: 32 * MIB, maxDepth: 40, maxValues: 4_000_000 };
