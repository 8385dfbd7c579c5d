/** What `like` finds this text in: its own signs are letters here. To be used with `escape '\'`. */
export const containing = (text: string): string => `%${text.replace(/[\\%_]/g, '\\$&')}%`;
