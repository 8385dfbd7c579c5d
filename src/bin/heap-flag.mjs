/**
 * How far a heap may grow before all of it is collected: to twice what lives in it, where V8 would let it come to four
 * times. With it an ingest of any length stays within some hundred MiB. V8 takes this flag at any time, so the launcher
 * sets it, for every command alike; the benchmarks give it to the servers that they start.
 */
export const HEAP_FLAG = '--heap-growing-percent=100';
