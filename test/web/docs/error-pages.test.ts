import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ERROR_CODES, ERRORS, errorLinksOf } from '../../../src/api/calls/api-errors.ts';
import { errorEnvelopeSchema } from '../../../src/api/openapi/openapi-document.ts';
import { ERROR_TEXTS } from '../../../src/web/docs/error-texts.ts';
import { BASE_URL, type Served, serve } from '../../api/http/serving.ts';

let served: Served;
beforeAll(async () => {
  served = await serve();
});
afterAll(() => served.close());

const read = async (path: string) => {
  const response = await fetch(served.url + path);
  return { status: response.status, type: response.headers.get('content-type'), text: await response.text() };
};
/** What a reader sees. */
const plain = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');

describe('the page of an error', () => {
  it.each(ERROR_CODES)('%s: what it means, when it comes, what to do, and an example', async (code) => {
    const { status, type, text } = await read(`/docs/errors/${code}`);
    expect([status, type]).toEqual([200, 'text/html; charset=utf-8']);
    const seen = plain(text);
    const { causes, remedies, extras = {} } = ERROR_TEXTS[code];
    for (const sentence of [ERRORS[code].means, ...causes, ...remedies, `HTTP status ${ERRORS[code].status}`]) {
      expect(seen).toContain(sentence.replaceAll('`', ''));
    }
    expect(causes.join(' ').length).toBeGreaterThan(40);
    expect(remedies.join(' ').length).toBeGreaterThan(20);

    const envelope = JSON.parse(plain(/<pre [^>]*><code>([\s\S]*?)<\/code>/.exec(text)![1]!));
    // Every member of the example is one that the OpenAPI document knows.
    const known = Object.keys(errorEnvelopeSchema.shape.error.shape);
    expect(errorEnvelopeSchema.parse(envelope)).toEqual(envelope);
    for (const member of Object.keys(envelope.error)) expect(known).toContain(member);
    expect(envelope.error).toMatchObject({ code, doc_url: `${BASE_URL}/docs/errors/${code}` });
    for (const member of [...Object.keys(extras), ...errorLinksOf(code)]) {
      expect(envelope.error).toHaveProperty(member);
      expect(seen).toContain(`${member}: `);
    }
  });

  it('is listed at /docs/errors', async () => {
    const { text } = await read('/docs/errors');
    for (const code of ERROR_CODES) expect(text).toContain(`<th scope="row"><a href="/docs/errors/${code}">`);
  });

  it('is not there for what is no code', async () => {
    for (const code of ['nothing', 'constructor', '__proto__', '%3Cscript%3E']) {
      const { status, type } = await read(`/docs/errors/${code}`);
      expect([status, type]).toEqual([404, 'application/json; charset=utf-8']);
    }
  });
});
