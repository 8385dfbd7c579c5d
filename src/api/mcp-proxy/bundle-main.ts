// What the bundle for agents runs: the proxy, with its settings from the environment.
import packageJson from '../../../package.json' with { type: 'json' };
import { readProxyAddress } from './proxy-address.ts';
import { runStdioProxy } from './run-stdio-proxy.ts';

const { LEDGERLINE_URL: url, LEDGERLINE_API_KEY: key, LEDGERLINE_TOOLS: tools } = process.env;

// The client has gone: nobody is left to answer.
process.stdout.on('error', () => process.exit(0));
try {
  const address = readProxyAddress({ url, key, tools });
  await runStdioProxy({ ...address, version: packageJson.version, input: process.stdin, output: process.stdout });
  // What was written goes out first.
  process.stdout.write('', () => process.exit(0));
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`);
  process.exit(1);
}
