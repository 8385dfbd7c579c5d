import { isIP } from 'node:net';
import { agentAddress } from '../mcp/agent-address.ts';

export const REGISTRY_ENTRY_NAME = 'server.json';

/**
 * What the registry of the Model Context Protocol keeps of a server, by its schema of 2025-12-11. The registry takes it
 * only where the domain of the name belongs to whoever publishes it.
 * @param baseUrl without a slash at its end
 */
export const registryEntry = (version: string, baseUrl: string) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
  name: `${namespaceOf(new URL(baseUrl).hostname)}/ledgerline`,
  title: 'Ledgerline',
  description: 'Schedules, live scores, odds with their history, injuries and fair prices of eight sports.',
  version,
  websiteUrl: baseUrl,
  remotes: [
    {
      type: 'streamable-http',
      url: agentAddress(baseUrl),
      headers: [
        {
          name: 'Authorization',
          description: 'An API key of the server.',
          isRequired: true,
          isSecret: true,
          value: 'Bearer {api_key}',
          variables: { api_key: { description: 'An API key of the server.', isRequired: true, isSecret: true } },
        },
      ],
    },
  ],
});

/** The domain backwards; of a machine without one there is nothing to say. */
const namespaceOf = (host: string): string =>
  isIP(host.replace(/^\[|\]$/g, '')) || !host.includes('.') ? 'localhost' : host.split('.').reverse().join('.');
