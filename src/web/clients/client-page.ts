import { BUNDLE_NAME } from '../../api/client-packages/mcp-bundle.ts';
import { REGISTRY_ENTRY_NAME } from '../../api/client-packages/registry-entry.ts';
import type { PageResponse } from '../../api/http/endpoints/public-pages.ts';
import { agentAddress } from '../../api/mcp/agent-address.ts';
import { docsPage } from '../layout/docs-layout.ts';
import { codeBlock, commandBlock, type Html, html } from '../layout/html.ts';
import type { SitePages } from '../layout/navigation.ts';
import type { ClientFiles } from './client-files.ts';

/**
 * How to install the clients of this server, with its own address.
 * @param baseUrl without a trailing slash
 */
export function clientPage(
  { tarball, wheel, bundleFor }: ClientFiles,
  version: string,
  baseUrl: string,
  pages?: SitePages,
): PageResponse {
  const sections = [
    {
      id: 'python',
      name: 'Python',
      text: wheel === undefined ? MISSING : pythonText(`${baseUrl}/client/${wheel}`, baseUrl),
    },
    {
      id: 'javascript',
      name: 'TypeScript and JavaScript',
      text: tarball === undefined ? MISSING : scriptText(`${baseUrl}/client/${tarball}`, baseUrl),
    },
    { id: 'agents', name: 'Agents', text: agentText(baseUrl, bundleFor !== undefined) },
  ];
  const page = {
    path: '/client',
    title: 'Clients of this Ledgerline server',
    description:
      'How to install the clients for Python, TypeScript and JavaScript that this server hands out, and how agents reach it.',
    navigation: html`<details open><summary>Clients</summary><ul>${sections.map(
      ({ id, name }) => html`<li><a href="#${id}">${name}</a></li>`,
    )}</ul></details>`,
    content: html`<h1>Clients</h1>
<p class="lead">This server hands out its own clients. They have a method for each of its operations, of its version: ${version}.</p>
<p>They need an API key, <code>KEY</code> below. You make one at <a href="/api-keys">your keys</a>, and the server prints one when it starts on an empty folder. What the methods answer stands in <a href="/docs">the reference</a>.</p>
${sections.map(({ id, name, text }) => html`<section aria-labelledby="${id}"><h2 id="${id}">${name}</h2>${text}</section>`)}`,
  };
  return docsPage(page, pages);
}

const MISSING = html`<p>This server was built without it. <code>npm install &amp;&amp; npm run build</code> builds it, with the development dependencies.</p>`;

const pythonText = (
  address: string,
  baseUrl: string,
): Html => html`<p>Python 3.10 and newer. It depends on <code>httpx</code> alone.</p>
${commandBlock(`pip install ${address}`, 'How to install the client for Python')}
${codeBlock(
  `from ledgerline import Ledgerline

ll = Ledgerline("${baseUrl}", api_key="KEY")
for event in ll.each.list_events(sport="nfl"):
    print(event["starts_at"], event["name"])
print(ll.last.credits_used)`,
  'Example in Python',
)}
<p><code>AsyncLedgerline</code> has the same methods for asyncio. <code>help(ll.get_event)</code> says what each takes and costs.</p>`;

const scriptText = (
  address: string,
  baseUrl: string,
): Html => html`<p>Node 20.19 and newer, Deno, Bun, and bundles for browsers. It depends on nothing, and its types come with it.</p>
${commandBlock(`npm install ${address}`, 'How to install the client for TypeScript and JavaScript')}
${codeBlock(
  `import { createClient } from 'ledgerline-client';

const client = createClient({ baseUrl: '${baseUrl}', apiKey: 'KEY' });
for await (const event of client.each.listEvents({ sport: 'nfl' })) console.log(event.starts_at, event.name);`,
  'Example in TypeScript',
)}`;

const agentText = (
  baseUrl: string,
  hasBundle: boolean,
): Html => html`<p>A client of the Model Context Protocol needs the address <code>${agentAddress(baseUrl)}</code> and the key. In Claude Code:</p>
${commandBlock(
  `claude mcp add --transport http ledgerline "${agentAddress(baseUrl)}" --header "Authorization: Bearer KEY"`,
  'How to add the server to Claude Code',
)}
${
  hasBundle
    ? html`<p>Claude Desktop, and others that install bundles, open <a href="/client/${BUNDLE_NAME}"><code>${BUNDLE_NAME}</code></a>, which knows this address and asks for the key. It passes messages on to this server, and runs nothing else.</p>`
    : MISSING
}
<p><a href="/docs/agent-clients.md">The page of clients for agents</a> has Cursor, VS Code and the OpenAI Agents SDK. <a href="/client/${REGISTRY_ENTRY_NAME}"><code>${REGISTRY_ENTRY_NAME}</code></a> is the entry for a registry of such servers, and <a href="/.well-known/mcp.json"><code>/.well-known/mcp.json</code></a> says where this one is.</p>`;
