import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

const SHORTEST_PASSWORD = 10;
const LONGEST_PASSWORD = 128;

/** As it is hashed and judged. */
export const normalizePassword = (text: string): string => text.normalize('NFC');

let common: Promise<CommonPasswords> | undefined;

/** They are unpacked when the first password is judged. A list that could not be loaded is tried again. */
function commonPasswords(): Promise<CommonPasswords> {
  common ??= loadCommonPasswords(SHORTEST_PASSWORD).catch((error: unknown) => {
    common = undefined;
    throw error;
  });
  return common;
}

/**
 * What is wrong with a new password, for people; undefined: nothing.
 * @param email of its user, in small letters
 */
export async function findPasswordProblem(password: string, email: string | undefined): Promise<string | undefined> {
  const normal = normalizePassword(password);
  const { length } = [...normal];
  if (length < SHORTEST_PASSWORD) return `Use at least ${SHORTEST_PASSWORD} characters.`;
  if (length > LONGEST_PASSWORD) return `Use at most ${LONGEST_PASSWORD} characters.`;
  const small = normal.toLowerCase();
  if (email !== undefined && (small === email || small === email.slice(0, email.lastIndexOf('@')))) {
    return 'Do not use your e-mail address.';
  }
  return (await commonPasswords()).has(small) ? 'Many people use this password. Choose another one.' : undefined;
}

/** In small letters: those of some 49,000 common passwords that are long enough to be asked about. */
type CommonPasswords = ReadonlySet<string>;

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
