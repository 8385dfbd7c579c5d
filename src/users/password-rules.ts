const LEAST = 10;
const MOST = 128;

/** As it is hashed and judged. */
export const normalPassword = (text: string): string => text.normalize('NFC');

let common: Promise<ReadonlySet<string>> | undefined;

/** Some 49,000, in small letters. They are unpacked when the first password is judged, which takes a moment. */
export function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import('@zxcvbn-ts/language-common').then(({ dictionary }) => new Set(dictionary['passwords-common']));
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
