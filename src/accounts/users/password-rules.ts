import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

const SHORTEST_PASSWORD = 10;
const LONGEST_PASSWORD = 128;

/** The form in which a password is hashed and checked. */
export const normalizePassword = (text: string): string => text.normalize('NFC');

let common: Promise<CommonPasswords> | undefined;

/** Loads the list when the first password is checked. A failed attempt is repeated at the next call. */
function commonPasswords(): Promise<CommonPasswords> {
  common ??= loadCommonPasswords(SHORTEST_PASSWORD).catch((error: unknown) => {
    common = undefined;
    throw error;
  });
  return common;
}

/**
 * The problem with a new password, as text for people; undefined: none.
 * @param email of its user, in lower case
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

/** About 49,000 common passwords, in lower case; only those of the minimum length or longer. */
type CommonPasswords = ReadonlySet<string>;

/** Unpacking the list takes a tenth of a second. A worker thread does it, so that no call waits. */
const UNPACK = `
  const { parentPort, workerData } = require('node:worker_threads');
  const passwords = require(workerData.list).dictionary['passwords-common'];
  parentPort.postMessage(passwords.filter(({ length }) => length >= workerData.minLength));
`;

/** @param minLength minimum length of the passwords in the list */
export function loadCommonPasswords(minLength: number): Promise<CommonPasswords> {
  const list = createRequire(import.meta.url).resolve('@zxcvbn-ts/language-common');
  return new Promise((resolve, reject) => {
    const worker = new Worker(UNPACK, { eval: true, workerData: { list, minLength } });
    worker.once('message', (passwords: readonly string[]) => resolve(new Set(passwords)));
    worker.once('error', reject);
  });
}
