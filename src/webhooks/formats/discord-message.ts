import type { AlertText } from './alert.ts';
import { clipText } from './clip-text.ts';

/** Discord's limits, in characters: https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
const MAX_CONTENT = 2000;
const MAX_TITLE = 256;
const MAX_DESCRIPTION = 4096;
const MARKDOWN = new Set('\\*_~`|>#[]()-'.split(''));

const escaped = (character: string): string => (MARKDOWN.has(character) ? `\\${character}` : character);

/** The body for a Discord webhook. Names that look like mentions notify nobody. */
export const discordMessage = ({ title, lines, link, at }: AlertText) => ({
  content: clipText(`${title}: ${lines[0]}`, MAX_CONTENT, undefined, escaped),
  embeds: [
    {
      title: clipText(title, MAX_TITLE, undefined, escaped),
      description: clipText(lines.join('\n'), MAX_DESCRIPTION - MAX_TITLE, undefined, escaped),
      url: link,
      timestamp: at,
    },
  ],
  allowed_mentions: { parse: [] },
});
