/** Tables of what is derived from the log, beside the read models; each has a checksum. They are in no backup. */
export const isDerived = (table: string): boolean => /^(decider_states|forecast_results\w*)$/.test(table);

/** Tables of a cache whose contents have checksums of their own: what is not as it was written is made again. */
export const isCache = (table: string): boolean => /^(stored_fold\w*|forecast_memories)$/.test(table);
