import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

export const ROOT = resolve(import.meta.dirname, '../../..');
const page = readFileSync(join(ROOT, 'docs/agent-clients.md'), 'utf8');

/** The address and the key that the page shows in the place of one's own. */
export const SHOWN_URL = 'http://localhost:3000';
export const SHOWN_ENDPOINT = `${SHOWN_URL}/mcp?tools=core`;

/**
 * An example of the page.
 * @param heading of its section; empty: before the first one
 * @param language of the block
 */
export function exampleOf(heading: string, language: string): string {
  const [first, ...sections] = page.split(/^## /m);
  const section = heading === '' ? first! : sections.find((one) => one.startsWith(`${heading}\n`));
  const [, code] = new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``).exec(section ?? '') ?? [];
  if (code === undefined) throw new Error(`docs/agent-clients.md has no ${language} under ${heading}`);
  return code;
}

/** The example for a server, with a key in the place of whatever stands for one. */
export const filledIn = (example: string, url: string, key: string): string =>
  example
    .replaceAll(SHOWN_URL, url)
    .replaceAll(/\$\{(?:env:|input:)?[\w-]+\}/g, key)
    .replaceAll(/(?<=Bearer |": ")KEY(?=")/g, key);
