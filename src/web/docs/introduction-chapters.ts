import { agentAddress } from '../../api/mcp/agent-address.ts';
import { codeBlock, commandBlock, type Html, html, prose } from '../layout/html.ts';
import { type ApiDocument, listPathOperations } from './openapi-types.ts';

interface Chapter {
  readonly id: string;
  readonly name: string;
  readonly text: Html;
}

const STREAM = `retry: 3778

event: score
id: 00000000000000000004
data: {"event_id":1,"status":"inprogress","period":"2","period_label":"2nd Quarter","clock":"4:15","scores":[…],"updated_at":"2026-02-01T21:10:00Z"}

: keep-alive

event: done
data: {"event_id":1}`;

/** What applies to every operation, in the order in which a reader needs it. */
export function introductionChapters(document: ApiDocument): readonly Chapter[] {
  const { servers, components } = document;
  const baseUrl = servers[0]?.url ?? '';
  return [
    {
      id: 'authentication',
      name: 'Authentication',
      text: html`<p>Every path under <code>/v1</code> and <code>/api/agent</code>, and <code>/mcp</code>, needs an API key:</p>
${commandBlock(`curl '${baseUrl}/v1/sports' \\\n  -H "Authorization: Bearer $KEY"`, 'Example of authentication')}
<p>The server prints a first key when it starts on an empty folder. The operator makes more with <code>ledgerline keys create --name NAME</code>, and a key makes more for its account with <a href="#create_key"><code>POST /api/agent/keys</code></a>. A key is shown once. It may cover some sports only: lists then hold these, and the rest is <a href="/docs/errors/sport_scope_denied">403</a>. Such a key manages only what it could have made itself, webhook subscriptions and keys within its sports, and buys nothing. A new key begins with what the key that made it has used of its limits. A score stream also takes the key as <code>?api_key=KEY</code>, since a browser’s EventSource cannot set headers.</p>`,
    },
    {
      id: 'answers',
      name: 'Answers',
      text: html`<p>Answers are JSON. Times are UTC, ISO 8601 with a trailing <code>Z</code>; dates are <code>YYYY-MM-DD</code> in UTC. Prices are American odds, integers. Ids are integers. Odds, splits and injuries of an event that has none yet answer 200 with <code>available: false</code>; 404 means that the event is not known.</p>`,
    },
    {
      id: 'paging',
      name: 'Paging',
      text: html`<p>A page that is not the last one has a <code>next_after_id</code>. Pass it back as <code>after_id</code>, with the same filters. It is null exactly on the last page. A cursor stays good while data comes in.</p>`,
    },
    {
      id: 'as-of',
      name: 'As of any moment',
      text: html`<p>Reads of a single event, and the batch, take <code>as_of</code>: the answer is the one that the server would have given then. <code>as_of_basis=observed</code> goes by when the sources observed the facts instead of when the server learned them, which is what backfilled seasons need. An event that was not known yet is 404.</p>`,
    },
    {
      id: 'credits',
      name: 'Credits and limits',
      text: html`<p>Each operation says what it costs. Failed requests, <code>304</code> and <code>available: false</code> cost nothing. Where a plan limits requests or credits, the headers tell what is left; a refused request is <a href="/docs/errors/rate_limit_exceeded">429</a> with <code>Retry-After</code>, or <a href="/docs/errors/insufficient_credits">402</a>.</p>
<div class="table"><table><thead><tr><th scope="col">Header</th><th scope="col">Meaning</th></tr></thead><tbody>${Object.entries(
        components.headers,
      ).map(
        ([name, { description }]) =>
          html`<tr><th scope="row"><code>${name}</code></th><td>${prose(description)}</td></tr>`,
      )}</tbody></table></div>`,
    },
    {
      id: 'repeating',
      name: 'Repeating calls',
      text: html`<p>Reads can be repeated at any time. What makes or buys something (${idempotentOperationLinks(document)}) takes an <code>Idempotency-Key</code>: up to 255 printable ASCII characters that the client makes up for each new call, such as a UUID. Repeated with the same key within 24 hours, the call is not run again: it gets the first answer, with <code>Idempotency-Replayed: true</code>, at no cost. While the first one runs, the repeated one waits for it; only success is remembered. The key belongs to the account, the path and the scopes of the API key; with another body it is <a href="/docs/errors/validation_error">422</a>. The secret of an API key is stored nowhere: when its creation is repeated, <code>key</code> is null.</p>`,
    },
    {
      id: 'caching',
      name: 'Caching',
      text: html`<p>Reads carry a strong <code>ETag</code> and <code>Cache-Control</code>. Send the tag back as <code>If-None-Match</code>: what has not changed is answered by an empty 304, at no cost. <code>*</code> is ignored, other than RFC 9110 has it: it would match every answer.</p>`,
    },
    {
      id: 'own-facts',
      name: 'Reading what was sent',
      text: html`<p>Whoever sends messages to the server is told <code>Ledgerline-Position</code>. A call that sends it back shows what they told, whichever process answers it, or is <a href="/docs/errors/service_unavailable">503</a> after two seconds, at no cost. Several may be joined by commas.</p>`,
    },
    {
      id: 'streams',
      name: 'Streams',
      text: html`<p>A score stream opens with the score as it stands, and sends it again at every change of the score, status, period or clock. A comment every 15 seconds keeps the connection. <code>done</code> comes when the event is over; <code>reconnect</code> after 5 minutes, or when the server stops: open the same address again. <code>error</code> carries the error envelope. Opening a stream costs its credit.</p>
${codeBlock(STREAM, 'Example of a stream')}`,
    },
    {
      id: 'agents',
      name: 'Agents',
      text: html`<p><code>${agentAddress(baseUrl)}</code> is a server of the Model Context Protocol, by streamable HTTP, with the same key in the same header: nearly every operation is a tool there, under its name, with the members of path, query and body in one object, at the same price and under the same limits. What spends money or hands out keys is none. <a href="/llms.txt"><code>/llms.txt</code></a> tells language models what there is, and <a href="/docs/agent-clients.md">the page of clients for agents</a> has a configuration for each.</p>`,
    },
    {
      id: 'errors',
      name: 'Errors',
      text: html`<p>Every error has one shape, <a href="#schema-Error">Error</a>. Go by <code>error.code</code>; <code>error.doc_url</code> leads to the page that tells what to do about it. <a href="/docs/errors">All error codes</a>.</p>`,
    },
  ];
}

/** Links to the operations that accept an `Idempotency-Key`. */
const idempotentOperationLinks = (document: ApiDocument): Html[] =>
  listPathOperations(document)
    .filter(({ operation }) => operation.parameters?.some(({ name }) => name === 'Idempotency-Key'))
    .map(
      ({ operation: { operationId } }, index) =>
        html`${index > 0 && ', '}<a href="#${operationId}"><code>${operationId}</code></a>`,
    );
