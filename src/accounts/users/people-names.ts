const MOST = 100;

/** What is wrong with a person's name, for people; undefined: nothing. */
export function nameProblem(text: string): string | undefined {
  const name = text.trim();
  if (name === '') return 'Write a name.';
  if ([...name].length > MOST) return `Use at most ${MOST} characters.`;
  return /\p{Cc}/u.test(name) ? 'Use no control characters.' : undefined;
}

/** As somebody else tells it: what of it can be a name here. */
export const nameFrom = (text: string | null): string | null =>
  [...(text ?? '').replace(/\p{Cc}/gu, ' ').trim()].slice(0, MOST).join('').trim() || null;

/** Whether it is the IANA name of a time zone. */
export function isTimezone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: text });
    return true;
  } catch {
    return false;
  }
}
