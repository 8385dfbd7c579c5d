import packageJson from '../../../package.json' with { type: 'json' };
import { DEFAULT_URL, ProxyAddressError, readProxyAddress } from '../../api/mcp-proxy/proxy-address.ts';
import { runStdioProxy } from '../../api/mcp-proxy/run-stdio-proxy.ts';
import { type Arguments, runCommand, UsageError } from './arguments.ts';

const help = `
mcp       passes messages on between an agent on standard input and output and the /mcp of a server: for clients of the
          Model Context Protocol that start programs

  --url BASE        the address of the server (LEDGERLINE_URL, or ${DEFAULT_URL})
  --key KEY         an API key of the server (LEDGERLINE_API_KEY: then it stands in no list of processes)
  --tools SETS      which tools the agent is offered: core, odds, stats, betting, account, a comma list, or all
                    (LEDGERLINE_TOOLS, or core)

It ends when standard input does. Exit codes: 0 at the end of the input; 2 on bad arguments.`;

async function mcp(args: Arguments): Promise<number> {
  if (args.positionals.length > 0) throw new UsageError(`mcp takes no ${args.positionals[0]}`);
  const { LEDGERLINE_URL, LEDGERLINE_API_KEY, LEDGERLINE_TOOLS } = process.env;
  const address = addressOf({
    url: args.text('url') ?? LEDGERLINE_URL,
    key: args.text('key') ?? LEDGERLINE_API_KEY,
    tools: args.text('tools') ?? LEDGERLINE_TOOLS,
  });
  await runStdioProxy({ ...address, version: packageJson.version, input: process.stdin, output: process.stdout });
  return 0;
}

function addressOf(given: Parameters<typeof readProxyAddress>[0]) {
  try {
    return readProxyAddress(given);
  } catch (error) {
    if (error instanceof ProxyAddressError) throw new UsageError(error.message);
    throw error;
  }
}

const form = {
  help,
  options: { url: { type: 'string' }, key: { type: 'string' }, tools: { type: 'string' } },
  run: mcp,
} as const;
export const run = (argv: readonly string[]) => runCommand(form, argv);
