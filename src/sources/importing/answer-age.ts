/** Milliseconds for which a cache had held an answer when its head arrived. @param headers in lower case */
export const ageOf = ({ age = '' }: Readonly<Record<string, string | undefined>>): number =>
  /^\d{1,9}$/.test(age) ? Number(age) * 1000 : 0;
