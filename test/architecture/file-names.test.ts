import { basename } from 'node:path';
import { expect, it } from 'vitest';
import { filesBelow } from './imports.ts';

/** Folders whose files are named for a subject that others have too: whoever looks for one of them knows the folder. */
const OWN_NAMES = [
  // A folder for each provider, and the demo with its folders.
  /^src\/sources\/[a-z-]+\//,
  // A file for each kind of message.
  /^src\/domain\/feed\//,
  // A file for each command.
  /^src\/server\/cli\//,
  // What runs in browsers.
  /^src\/web\/live\/page\//,
];

it('a name of a file tells one file from all others', () => {
  const files = filesBelow('src').filter(
    (file) => basename(file) !== 'index.ts' && !OWN_NAMES.some((folder) => folder.test(file)),
  );
  const byName = new Map<string, string[]>();
  for (const file of files) byName.set(basename(file), [...(byName.get(basename(file)) ?? []), file]);

  expect(files.length).toBeGreaterThan(300);
  expect([...byName.values()].filter((namesakes) => namesakes.length > 1)).toEqual([]);
});
