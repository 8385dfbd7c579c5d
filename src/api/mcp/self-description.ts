import type { Tool } from './tools.ts';
import { DESCRIBED_VERSION, PROTOCOL_VERSIONS } from './versions.ts';

/** What `GET /mcp` answers: for people, and for programs that list servers. @param baseUrl without a slash at its end */
export const selfDescription = (tools: Iterable<Tool>, version: string, baseUrl: string) => {
  const listed = [...tools].map(({ operation, listed: { name, description } }) => ({
    name,
    description,
    credits: operation.price.says,
  }));
  return {
    name: 'ledgerline',
    version,
    description:
      'Sports data as tools: schedules, scores, odds, splits, injuries, teams and players, and what follows from them.',
    protocol_version: DESCRIBED_VERSION,
    protocol_versions: PROTOCOL_VERSIONS,
    transport: 'streamable_http',
    url: `${baseUrl}/mcp`,
    authentication: 'bearer',
    tools: listed,
    total: listed.length,
    docs_url: `${baseUrl}/docs`,
  };
};
