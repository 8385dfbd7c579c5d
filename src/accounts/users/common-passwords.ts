import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** In small letters: those of some 49,000 common passwords that are long enough to be asked about. */
export type CommonPasswords = ReadonlySet<string>;

/** To unpack the list takes a tenth of a second: a thread of its own does, so that no call waits for it. */
const UNPACK = `
  const { parentPort, workerData } = require('node:worker_threads');
  const passwords = require(workerData.list).dictionary['passwords-common'];
  parentPort.postMessage(passwords.filter(({ length }) => length >= workerData.least));
`;

/** @param least characters of the shortest password that is asked about */
export function loadCommonPasswords(least: number): Promise<CommonPasswords> {
  const list = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common');
  return new Promise((resolve, reject) => {
    const worker = new Worker(UNPACK, { eval: true, workerData: { list, least } });
    worker.once('message', (passwords: readonly string[]) => resolve(new Set(passwords)));
    worker.once('error', reject);
  });
}
