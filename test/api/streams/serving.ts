import { ApiError } from '../../../src/api/calls/api-errors.ts';
import { type AdmissionControl, unlimitedAdmissionControl } from '../../../src/api/calls/pipeline/admission.ts';
import { renderScoreSnapshot } from '../../../src/read-models/rendering/render-event.ts';
import { composed } from '../../support/composed.ts';
import { createProjector } from './match.ts';
import { openStream } from './sse-client.ts';

export { BASE_URL, START } from '../../support/composed.ts';

const SCOPES: Readonly<Record<string, readonly string[]>> = {
  'key-of-all': ['all'],
  'other-key-of-all': ['all'],
  'key-of-nfl': ['nfl'],
};

/** The server that ships with keys that a test knows, its stores in memory, and time that is moved by hand. */
export async function serveStreams(stages: Partial<AdmissionControl> = {}) {
  const scopesOf = new Map(Object.entries(SCOPES));
  let isRegistryDown = false;
  let renders = 0;
  const opened = await composed({
    replacements: {
      authenticate(key) {
        if (isRegistryDown) throw new Error('the registry does not answer');
        const scopes = scopesOf.get(key ?? '');
        if (!scopes) throw new ApiError('unauthorized', 'No such key.');
        return { keyId: 1, accountId: 1, plan: 'free', scopes, unlimited: false };
      },
      stages: () => ({ ...unlimitedAdmissionControl, ...stages }),
      withoutAnswerCache: true,
      ignoresIdempotencyKeys: true,
      renderScore: (document) => {
        renders++;
        return renderScoreSnapshot(document);
      },
    },
  });
  const { url, http: server, timers, logged, ports } = opened;
  const { log, store } = ports;
  const { hub, streams } = opened.server;
  const { prepare, project } = createProjector(log, store);
  await prepare();
  return {
    url,
    server,
    log,
    store,
    project,
    timers,
    hub,
    streams,
    logged,
    renders: () => renders,
    revoke: (key: string) => void scopesOf.delete(key),
    breakRegistry() {
      isRegistryDown = true;
    },
    open: (id: number | string, headers: Record<string, string> = { authorization: 'Bearer key-of-all' }) =>
      openStream(`${url}/v1/events/${id}/stream`, headers),
    fetch: (path: string, init: RequestInit & { headers?: Record<string, string> } = {}) =>
      fetch(url + path, { ...init, headers: { authorization: 'Bearer key-of-all', ...init.headers } }),
    close: opened.close,
  };
}
export type Served = Awaited<ReturnType<typeof serveStreams>>;
