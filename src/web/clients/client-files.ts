import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BUNDLE_NAME, withBundleAddress } from '../../api/client-packages/mcp-bundle.ts';
import type { FileResponse } from '../../api/http/endpoints/public-pages.ts';

/** The packages that the server hands out, by name. */
export interface ClientFiles {
  /** The package for npm. */
  readonly tarball: string | undefined;
  /** The package for pip; its name has the version. */
  readonly wheel: string | undefined;
  /** The bundle for agents, for a server at this address; absent: there is none. */
  readonly bundleFor: ((baseUrl: string) => FileResponse) | undefined;
  readonly files: ReadonlyMap<string, FileResponse>;
}

/** The build puts the packages beside the server's own files. A server that runs from its sources has none. */
export const BUILT_CLIENTS = fileURLToPath(new URL('./client', import.meta.url));

/** Whatever is asked for by a name with its version never changes; else a client asks whether it has. */
const KINDS = [
  { end: '.tgz', type: 'application/gzip', caching: 'no-cache' },
  { end: '.whl', type: 'application/zip', caching: 'public, max-age=31536000, immutable' },
] as const;

/** Reads the packages of a folder; they are few and small, so they are kept in memory. */
export function readClientFiles(folder: string): ClientFiles {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const files = names.flatMap((name) => {
    const kind = KINDS.find(({ end }) => name.endsWith(end));
    if (!kind) return [];
    const headers = ['Cache-Control', kind.caching, 'X-Content-Type-Options', 'nosniff'];
    return [[name, { status: 200, type: kind.type, body: readFileSync(join(folder, name)), headers }] as const];
  });
  const nameOf = (end: string) => files.map(([name]) => name).find((name) => name.endsWith(end));
  const bundle = names.includes(BUNDLE_NAME) ? readFileSync(join(folder, BUNDLE_NAME)) : undefined;
  return {
    tarball: nameOf('.tgz'),
    wheel: nameOf('.whl'),
    bundleFor: bundle && ((baseUrl) => bundleResponse(withBundleAddress(bundle, baseUrl))),
    files: new Map(files),
  };
}

/** A browser must not take it for an archive to open: it is for the client that installs it. */
const bundleResponse = (bundle: Uint8Array): FileResponse => ({
  status: 200,
  type: 'application/octet-stream',
  body: Buffer.from(bundle),
  headers: [
    ...['Cache-Control', 'no-cache', 'X-Content-Type-Options', 'nosniff'],
    ...['Content-Disposition', `attachment; filename="${BUNDLE_NAME}"`],
  ],
});
