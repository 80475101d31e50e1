/**
 * Bare undici for `bench:campaign`: posts of the size of a webhook. Arguments: address, number, and how many at once.
 * Prints the processor time of one, microseconds.
 */
import { Agent, request } from 'undici';
import { inLanes } from './in-lanes.ts';

const WARM_UP = 500;
const [url = '', count = '0', lanes = '1'] = process.argv.slice(2);
const agent = new Agent({ connections: Number(lanes) });
const body = JSON.stringify({ id: 0, text: 'x'.repeat(1500) });

async function post(): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await request(url, { method: 'POST', dispatcher: agent, headers, body });
  await answer.body.dump();
}

function postMany(posts: number): Promise<void> {
  return inLanes(Number(lanes), Array.from({ length: posts }), post);
}

await postMany(WARM_UP);
const before = process.cpuUsage();
await postMany(Number(count));
const { user, system } = process.cpuUsage(before);
await agent.close();
process.stdout.write(String((user + system) / Number(count)));
