/**
 * Tables of what is derived from the log, beside the read models; each has a checksum. They are in no backup.
 * `learnt_results` and `learnt_up_to` are what earlier versions called those of forecasts.
 */
export const isDerived = (table: string): boolean =>
  /^(decider_states|forecast_results\w*|learnt_results|learnt_up_to)$/.test(table);

/** Tables of a cache whose contents have checksums of their own: what is not as it was written is made again. */
export const isCache = (table: string): boolean => /^(stored_fold\w*|forecast_memories)$/.test(table);
