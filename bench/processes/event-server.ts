import { pino } from 'pino';
import { startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { lockFolder } from '../../src/data-folder/lock.ts';
import { serveParent } from '../child-side.ts';

interface Begin {
  readonly folder: string;
  readonly messages: readonly unknown[];
  /** Further settings, named as in the environment. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The server itself, on a folder of its own, with the messages taken in, and a key that no limit holds back. */
serveParent<Begin>(async ({ folder, messages, settings = {} }) => {
  // Ours, but one of those that clients are not given.
  const port = 20_000 + ((process.pid * 31) % 12_000);
  const config = readConfig({ ...settings, DATA_DIR: folder, PORT: String(port), FEEDS: 'none', LOG_LEVEL: 'error' });
  const app = await startApp(config, pino({ level: 'error' }), lockFolder(folder, 'bench'));
  await app.ready;
  const outcomes = await app.parts.intake.accept(messages.map((value, line) => ({ line, value })));
  if (outcomes.some(({ status }) => status !== 'accepted')) throw new Error(JSON.stringify(outcomes));
  await app.parts.runner.waitFor((await app.parts.log.head())!);
  const { key } = await app.parts.keys.create({ name: 'bench', plan: 'enterprise', scopes: ['all'] });
  return { port, key };
});
