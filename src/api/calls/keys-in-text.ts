/** Keys that this server has made, wherever they stand. */
const MADE = /\bllk_([A-Za-z0-9]{1,12})\.[A-Za-z0-9_-]+/g;

/** What a client has put into a wrong place must not be stored, logged or repeated with it. */
export const holdsKey = (text: string): boolean => text.search(MADE) >= 0;

/** The public part of a key stays, so that the text can be understood. */
export const withoutKeys = (text: string): string => text.replace(MADE, 'llk_$1.[hidden]');
