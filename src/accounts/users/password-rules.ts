import { type CommonPasswords, loadCommonPasswords } from './common-passwords.ts';

const LEAST = 10;
const MOST = 128;

/** As it is hashed and judged. */
export const normalPassword = (text: string): string => text.normalize('NFC');

let common: Promise<CommonPasswords> | undefined;

/** They are unpacked when the first password is judged. A list that could not be loaded is tried again. */
function commonPasswords(): Promise<CommonPasswords> {
  common ??= loadCommonPasswords(LEAST).catch((error: unknown) => {
    common = undefined;
    throw error;
  });
  return common;
}

/**
 * What is wrong with a new password, for people; undefined: nothing.
 * @param email of its user, in small letters
 */
export async function passwordProblem(password: string, email: string | undefined): Promise<string | undefined> {
  const normal = normalPassword(password);
  const { length } = [...normal];
  if (length < LEAST) return `Use at least ${LEAST} characters.`;
  if (length > MOST) return `Use at most ${MOST} characters.`;
  const small = normal.toLowerCase();
  if (email !== undefined && (small === email || small === email.slice(0, email.lastIndexOf('@')))) {
    return 'Do not use your e-mail address.';
  }
  return (await commonPasswords()).has(small) ? 'Many people use this password. Choose another one.' : undefined;
}
