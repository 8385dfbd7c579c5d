import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { listenSomewhere, serveParent } from '../child-side.ts';

/** The SDK alone, as its own example of a stateless server has it, with one tool that always gives the same result. */
serveParent<{ readonly result: CallToolResult }>(async ({ result }) => {
  const server = createServer(async (request, response) => {
    const protocol = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
    protocol.setRequestHandler(CallToolRequestSchema, () => result);
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    response.on('close', () => {
      void transport.close();
      void protocol.close();
    });
    // Its types do not allow for handlers that are undefined.
    await protocol.connect(transport as Transport);
    await transport.handleRequest(request, response);
  });
  return { port: await listenSomewhere(server) };
});
