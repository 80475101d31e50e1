/**
 * Bare undici for `bench:campaign`: posts of the size of a webhook, as many at once as a worker sends. Arguments: address
 * and number. Prints the processor time of one, microseconds.
 */
import { Agent, request } from 'undici';

const AT_ONCE = 20;
const WARM_UP = 100;
const [url = '', count = '0'] = process.argv.slice(2);
const agent = new Agent({ connections: AT_ONCE });
const body = JSON.stringify({ id: 0, text: 'x'.repeat(1500) });

async function post(): Promise<void> {
  const headers = { 'content-type': 'application/json' };
  const answer = await request(url, { method: 'POST', dispatcher: agent, headers, body });
  await answer.body.dump();
}

async function postMany(posts: number): Promise<void> {
  let left = posts;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await post();
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}

await postMany(WARM_UP);
const before = process.cpuUsage();
await postMany(Number(count));
const { user, system } = process.cpuUsage(before);
await agent.close();
process.stdout.write(String((user + system) / Number(count)));
