const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A character as text of HTML, or in an attribute in double quotes. */
export const escapeHtmlCharacter = (character: string): string => ENTITIES[character] ?? character;

export const escapeHtml = (text: string): string => [...text].map(escapeHtmlCharacter).join('');
