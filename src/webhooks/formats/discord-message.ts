import type { AlertText } from './alert.ts';
import { clipText } from './clip-text.ts';

/** Discord's limit, in characters: https://docs.discord.com/developers/resources/webhook#execute-webhook */
const MAX_CONTENT = 2000;
const MARKDOWN = new Set('\\*_~`|>#[]()-'.split(''));

const escaped = (character: string): string => (MARKDOWN.has(character) ? `\\${character}` : character);

/**
 * The body for a Discord webhook. Discord shows the content above the embed, so each text stands in one of them. The
 * content has what is told: notifications of phones show it alone, and embeds may be turned off. Names that look like
 * mentions notify nobody.
 */
export const discordMessage = ({ title, lines, link, at }: AlertText) => ({
  content: clipText(`${title}: ${lines.join('\n')}`, MAX_CONTENT, undefined, escaped),
  embeds: [{ title: 'Open the event', url: link, timestamp: at }],
  allowed_mentions: { parse: [] },
});
