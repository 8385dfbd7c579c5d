import { describeOperation, type Operation } from '../../api/calls/operation/operation.ts';
import { isMcpTool } from '../../api/calls/operation/tool-arguments.ts';
import type { PageResponse } from '../../api/http/endpoints/public-pages.ts';
import { agentAddress } from '../../api/mcp/agent-address.ts';
import type { DocumentationPage } from '../../api/mcp/modern/resources.ts';

/** Pages for those who call the server, not for those who run it or work on it. */
const FOR_USERS: ReadonlySet<string> = new Set([
  ...[
    'agent-clients',
    'agent-keys',
    'alerts',
    'api',
    'billing',
    'changes',
    'client',
    'compat',
    'corrections',
    'intelligence',
  ],
  ...['limits', 'mcp', 'python', 'query', 'quick-start', 'slips', 'statistics', 'tables'],
]);

/**
 * The overview for language models (llmstxt.org).
 * @param baseUrl without a trailing slash
 */
export function llmsText(
  operations: readonly Operation[],
  baseUrl: string,
  documentation: readonly DocumentationPage[],
): PageResponse {
  const tools = operations.filter(isMcpTool);
  const body = `# Ledgerline

> Sports data over HTTP and as tools: schedules, scores, odds and how they moved, betting splits, injuries, teams and players. Answers are JSON, times are UTC, prices are American odds, and each call costs credits as it says.

- Base address: ${baseUrl}
- Model Context Protocol: ${agentAddress(baseUrl)}, by streamable HTTP, without sessions; \`tools=all\` lists every tool
- Every request to either needs the header \`Authorization: Bearer KEY\`, KEY being an API key of this server

## Tools

Each is an operation over REST too, with the same arguments, answer and price.

${tools.map((tool) => `- [${tool.name}](${baseUrl}/docs#${tool.name}): \`${tool.method} ${tool.path}\`. ${describeOperation(tool)}`).join('\n')}

## Documentation

- [OpenAPI document](${baseUrl}/openapi.json): all operations, their schemas and errors
- [Reference](${baseUrl}/docs): the same to read, with what holds of every operation
- [Errors](${baseUrl}/docs/errors): each code, and what to do about it
- [Clients](${baseUrl}/client): for Python, TypeScript, JavaScript and agents, to install from this server
${documentation
  .filter(({ name }) => FOR_USERS.has(name))
  .map(({ name, title }) => `- [${title}](${baseUrl}/docs/${name}.md)`)
  .join('\n')}
`;
  return {
    status: 200,
    type: 'text/markdown; charset=utf-8',
    body,
    headers: ['Cache-Control', 'public, max-age=300', 'X-Content-Type-Options', 'nosniff'],
  };
}
