/** The SDK's transport asks for both. */
const ACCEPT = 'application/json, text/event-stream';

/** A tools/call as clients send it. */
export function toolCall(name: string, args: object, key: string): string {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: 127.0.0.1',
    `Authorization: Bearer ${key}`,
    `Accept: ${ACCEPT}`,
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'User-Agent: bench',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

/** What the server answers to it. @throws Error where the tool fails */
export async function resultOf(port: number, name: string, args: object, key: string): Promise<Record<string, any>> {
  const response = await fetch(`http://127.0.0.1:${port}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, accept: ACCEPT, 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  });
  const { result } = (await response.json()) as { result?: Record<string, any> };
  if (!result || result['isError']) throw new Error(`${name}: ${response.status}: ${JSON.stringify(result)}`);
  return result;
}
