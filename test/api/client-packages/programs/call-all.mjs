// Makes the calls that standard input lists, and prints the answers.
import { readFileSync } from 'node:fs';
import { createClient, LedgerlineError } from 'ledgerline-client';

const [baseUrl, apiKey] = process.argv.slice(2);
const { calls } = JSON.parse(readFileSync(0, 'utf8'));
const client = createClient({ baseUrl, apiKey, maxRetries: 0 });

async function listed(items, most) {
  const all = [];
  for await (const item of items) {
    all.push(item);
    if (all.length === most) break;
  }
  return all;
}

const answers = [];
for (const { javascript, group, arguments: given, key, most } of calls) {
  const methods = group === 'each' ? client.each : client;
  try {
    const answer = methods[javascript](given, key === undefined ? {} : { idempotencyKey: key });
    answers.push(group === undefined ? ((await answer) ?? null) : await listed(answer, most));
  } catch (error) {
    if (!(error instanceof LedgerlineError)) throw error;
    answers.push({ refused: error.code, status: error.status, message: error.message });
  }
}
console.log(JSON.stringify(answers));
