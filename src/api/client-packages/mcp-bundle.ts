import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

export const BUNDLE_NAME = 'ledgerline.mcpb';
const MANIFEST = 'manifest.json';
/** Of the bundle: where `build-mcp-bundle.mjs` puts the proxy. */
const ENTRY_POINT = 'server/index.mjs';

/**
 * The manifest of the bundle for clients that install such files: it starts the proxy with the address and the key that
 * its user has filled in.
 * @param baseUrl the address that is filled in beforehand, without a slash at its end
 */
export const bundleManifest = (version: string, baseUrl: string) => ({
  manifest_version: '0.3',
  name: 'ledgerline',
  display_name: 'Ledgerline',
  version,
  description: 'Schedules, live scores, odds with their history, injuries and fair prices of a Ledgerline server.',
  long_description:
    'Passes what an agent asks on to a Ledgerline server. It needs the address of the server and an API key, and keeps nothing. Each tool says what it costs.',
  author: { name: 'Ledgerline' },
  license: 'UNLICENSED',
  server: {
    type: 'node',
    entry_point: ENTRY_POINT,
    mcp_config: {
      command: 'node',
      args: [`$\{__dirname}/${ENTRY_POINT}`],
      env: {
        LEDGERLINE_URL: filledIn('url'),
        LEDGERLINE_API_KEY: filledIn('api_key'),
        LEDGERLINE_TOOLS: filledIn('tools'),
      },
    },
  },
  tools_generated: true,
  prompts_generated: true,
  compatibility: { platforms: ['darwin', 'win32', 'linux'], runtimes: { node: '>=20.19.0' } },
  user_config: {
    url: {
      type: 'string',
      title: 'Address of the server',
      description: 'Where the Ledgerline server is, such as https://sports.example.',
      default: baseUrl,
      required: true,
    },
    api_key: {
      type: 'string',
      title: 'API key',
      description: 'A key of that server, best one for this agent alone. Without one the agent can ask for one.',
      sensitive: true,
      required: false,
    },
    tools: {
      type: 'string',
      title: 'Tools',
      description: 'core, odds, stats, betting, account, a comma list of them, or all.',
      default: 'core',
      required: false,
    },
  },
});

const filledIn = (name: string): string => `$\{user_config.${name}}`;

/** Archives have no time zone: the same bundle gives the same bytes everywhere. */
const NO_TIME = new Date(2000, 0, 1);

/** The bundle of another server's address. */
export function withBundleAddress(bundle: Uint8Array, baseUrl: string): Uint8Array {
  const files = unzipSync(bundle);
  const { version } = JSON.parse(strFromU8(files[MANIFEST]!)) as { version: string };
  const manifest = strToU8(`${JSON.stringify(bundleManifest(version, baseUrl), null, 2)}\n`);
  return zipSync({ ...files, [MANIFEST]: manifest }, { level: 9, mtime: NO_TIME });
}
