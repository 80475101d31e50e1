/**
 * Reads the calls page by page and adds up their durations.
 *
 *   PARLEY_URL=http://127.0.0.1:3000 PARLEY_TOKEN=parley_... node list-calls.ts completed
 */
import { createParleyClient, eachPage, eachRecord } from '@parley/client';

const parley = createParleyClient({
  baseUrl: process.env['PARLEY_URL'] ?? 'http://127.0.0.1:3000',
  token: process.env['PARLEY_TOKEN'] ?? '',
});
const status = process.argv[2] === 'completed' ? 'completed' : undefined;

for await (const page of eachPage(parley.calls.list, { status, per_page: 2 }))
  console.log(`Page ${page.current_page} of ${page.last_page}: ${page.data.length} of ${page.total} calls`);

const seconds = new Map<string, number>();
for await (const call of eachRecord(parley.calls.list, { status, per_page: 100 }))
  seconds.set(call.assistant_name, (seconds.get(call.assistant_name) ?? 0) + call.duration);
for (const [assistant, total] of seconds) console.log(`${assistant}: ${total} s`);
