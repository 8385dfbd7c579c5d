import { pino } from 'pino';
import { startApp } from '../../src/composition/app.ts';
import { lockFolder } from '../../src/data-folder/lock.ts';
import { readConfig } from '../../src/settings/config.ts';
import { serveParent } from '../child-side.ts';

interface Begin {
  readonly folder: string;
  readonly messages: readonly unknown[];
  /** Further settings, named as in the environment. */
  readonly settings?: Readonly<Record<string, string>>;
}

/** The operator's own key: no limit holds it back, and nothing is metered. */
const KEY = `llk_${'B'.repeat(12)}.${'b'.repeat(43)}`;

/** The server itself, on a folder of its own, with the messages taken in. */
serveParent<Begin>(async ({ folder, messages, settings = {} }) => {
  // Ours, but one of those that clients are not given.
  const port = 20_000 + ((process.pid * 31) % 12_000);
  const all = { BOOTSTRAP_KEY: KEY, ...settings };
  const config = readConfig({ ...all, DATA_DIR: folder, PORT: String(port), FEEDS: 'none', LOG_LEVEL: 'error' });
  const app = await startApp(config, pino({ level: 'error' }), lockFolder(folder, 'bench'));
  await app.ready;
  const { outcomes } = await app.core.intake.accept(messages.map((value, line) => ({ line, value })));
  if (outcomes.some(({ status }) => status !== 'accepted')) throw new Error(JSON.stringify(outcomes));
  await app.core.runner.waitFor((await app.ports.log.head())!);
  return { port, key: KEY };
});
