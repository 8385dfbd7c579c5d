/** Without letters and digits that look alike. */
const LETTERS = 'ABCDEFGHJKMNPQRSTUVWXYZ23456789';
const GROUPS = 4;
const GROUP = 4;

/** A code of 16 letters and digits (79 bits) that people can type, such as `K7QM-3WXP-9ABC-D2EF`. */
export function createSetupCode(randomBytes: (size: number) => Uint8Array): string {
  let text = '';
  while (text.length < GROUPS * GROUP) {
    // Bytes beyond the last whole multiple would make some letters likelier than others.
    const [byte] = randomBytes(1);
    if (byte! < 256 - (256 % LETTERS.length)) text += LETTERS[byte! % LETTERS.length];
  }
  return text.match(new RegExp(`.{${GROUP}}`, 'g'))!.join('-');
}
