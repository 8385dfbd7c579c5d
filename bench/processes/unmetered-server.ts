import { pino } from 'pino';
import { BOOTSTRAP_PRINCIPAL } from '../../src/accounts/keys/authenticator.ts';
import { unlimitedAdmissionControl } from '../../src/api/calls/pipeline/admission.ts';
import { createSecretBox } from '../../src/api/calls/secret-box.ts';
import { createHttpServer } from '../../src/api/http/server/http-server.ts';
import { makeDataFolder } from '../../src/platform/data-folder/data-folder.ts';
import { lockFolder } from '../../src/platform/data-folder/folder-lock.ts';
import { createDevelopmentPayments } from '../../src/platform/payments/development-payments.ts';
import { type Config, readConfig } from '../../src/platform/settings/config.ts';
import { realEnvironment, silentLog } from '../../src/server/composition/environment.ts';
import { openServer } from '../../src/server/composition/open-server.ts';
import { type EmbeddedServer, startEmbeddedServer } from '../../src/server/embedded/embedded-server.ts';
import { listenSomewhere, serveParent } from '../child-side.ts';

interface Begin {
  readonly folder: string;
  readonly messages: readonly unknown[];
}

/** The floor: the server's operations on stores of their own, behind a pipeline without keys, limits and credits. */
serveParent<Begin>(async ({ folder, messages }) => {
  const dataDir = makeDataFolder(folder);
  const config = readConfig({ DATA_DIR: dataDir, PORT: '0', FEEDS: 'none', LOG_LEVEL: 'error' });
  const app = await startEmbeddedServer(config, pino({ level: 'error' }), lockFolder(dataDir, 'bench'));
  await app.ready;
  const { outcomes } = await app.core.intake.accept(messages.map((value, line) => ({ line, value })));
  if (outcomes.some(({ status }) => status !== 'accepted')) throw new Error(JSON.stringify(outcomes));
  await app.core.runner.waitFor((await app.ports.log.head())!);
  return { port: await listenSomewhere(await unmetered(app, config)) };
});

/** The same server, on the same stores, for a caller whom nothing limits and nothing charges. */
async function unmetered({ ports, core }: EmbeddedServer, settings: Config) {
  const baseUrl = () => 'http://127.0.0.1';
  const environment = realEnvironment(silentLog);
  const secrets = { pepper: '', session: '', box: createSecretBox('', environment.randomBytes) };
  const { listener } = await openServer({
    ports,
    core,
    secrets,
    settings,
    environment,
    baseUrl,
    payments: createDevelopmentPayments(),
    isReady: () => true,
    simulated: () => false,
    replacements: {
      authenticate: () => BOOTSTRAP_PRINCIPAL,
      stages: () => unlimitedAdmissionControl,
      ignoresIdempotencyKeys: true,
    },
  });
  return createHttpServer(listener, baseUrl, environment.newRequestId);
}
