/**
 * P11: the bare costs of the steps of a lead, measured in the same run as the lead. They are measured one after the other,
 * as in a single lead; concurrent ones would cost less each.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Floors } from './campaign-floors.rules.ts';
import type { CampaignTestbed } from './campaign-testbed.ts';
import { postgresCpuMicros } from './postgres-cpu.ts';

const COUNT = 3_000;

/** Each step runs in its own process. */
export async function measureFloors(testbed: CampaignTestbed): Promise<Floors> {
  const postgresBefore = await postgresCpuMicros(testbed.postgresPid);
  const commit = await runBare('campaign-bare-commits.ts', [String(COUNT)], testbed.databaseUrl);
  const postgres = (await postgresCpuMicros(testbed.postgresPid)) - postgresBefore;
  return {
    inviteMicros: await runBare('campaign-bare-invite.ts', [String(COUNT)]),
    commitMicros: commit + postgres / COUNT,
    postMicros: await measureBarePosts(testbed, { count: COUNT, atOnce: 1 }),
  };
}

/** @returns the processor time of one POST of the size of a webhook, microseconds */
export function measureBarePosts(
  { receiver }: CampaignTestbed,
  { count, atOnce }: { count: number; atOnce: number },
): Promise<number> {
  return runBare('campaign-bare-posts.ts', [receiver.url, String(count), String(atOnce)]);
}

/** @returns the output of the program */
async function runBare(script: string, parameters: readonly string[], databaseUrl = ''): Promise<number> {
  const path = fileURLToPath(new URL(script, import.meta.url));
  const options = { env: { ...process.env, DATABASE_URL: databaseUrl } };
  const { stdout } = await promisify(execFile)(process.execPath, [path, ...parameters], options);
  return Number(stdout);
}
