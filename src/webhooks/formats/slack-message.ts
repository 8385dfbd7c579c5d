import type { AlertText } from './alert.ts';
import { clipText } from './clip-text.ts';

/** Slack's limits, in characters: https://docs.slack.dev/reference/block-kit/blocks/section-block */
const MAX_SECTION = 3000;
/** Slack cuts longer texts, and Mattermost refuses posts of more than 16,383. */
const MAX_TEXT = 4000;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

const escaped = (character: string): string => ENTITIES[character] ?? character;

/** The body for an incoming webhook of Slack. Mattermost reads `text` alone, so it says everything too. */
export function slackMessage({ title, lines, link }: AlertText) {
  const open = `<${link}|Open the event>`;
  const whole = [title, ...lines].join('\n');
  return {
    text: `${clipText(whole, MAX_TEXT - open.length - 1, undefined, escaped)}\n${open}`,
    blocks: [
      { type: 'section', text: { type: 'mrkdwn', text: clipText(whole, MAX_SECTION, undefined, escaped) } },
      { type: 'context', elements: [{ type: 'mrkdwn', text: open }] },
    ],
  };
}
