/**
 * What a test allows where a server promises an answer within so many milliseconds. The suites run beside each other, on
 * machines that do other work too; how fast a thing is, `bench/` measures. Here it is told from what hangs: for half a
 * minute, or for ever.
 */
export const patientTimeout = (milliseconds: number): number => 4 * milliseconds;
