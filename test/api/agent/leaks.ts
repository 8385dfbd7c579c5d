/** So many characters of a secret, next to each other, are a leak of it. */
const PART = 16;

const percentEncoded = (text: string): string =>
  [...text].map((one) => `%${one.charCodeAt(0).toString(16).padStart(2, '0')}`).join('');

/** How a secret could stand somewhere: in plain, and as what is made of it on the way. */
export function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret, 'latin1');
  const encoded = [0, 1, 2].flatMap((before) => {
    const shifted = Buffer.concat([Buffer.alloc(before), bytes]);
    // Without the characters at either end: they depend on what stands beside.
    return [shifted.toString('base64').replaceAll('=', '').slice(4, -4), shifted.toString('base64url').slice(4, -4)];
  });
  const percent = percentEncoded(secret);
  return [
    ...new Set([
      secret,
      secret.toLowerCase(),
      secret.toUpperCase(),
      ...encoded,
      percent,
      percent.toUpperCase(),
      bytes.toString('hex'),
      bytes.toString('hex').toUpperCase(),
      bytes.toString('utf16le'),
      // The random bytes themselves.
      Buffer.from(secret, 'base64url').toString('latin1'),
      Buffer.from(secret, 'base64url').toString('hex'),
    ]),
  ];
}

/** The parts of secrets that a text holds, in any form. */
export function leaksIn(text: string, secrets: readonly string[]): string[] {
  const leaks: string[] = [];
  for (const secret of secrets) {
    for (const form of formsOf(secret)) {
      for (let at = 0; at + PART <= form.length; at++) {
        const part = form.slice(at, at + PART);
        if (!text.includes(part)) continue;
        leaks.push(part);
        break;
      }
    }
  }
  return leaks;
}
