/**
 * Bare commits of Postgres for `bench:campaign`: one narrow row each, by a prepared statement, one after the other.
 * Argument: the number. Prints its own processor time of one, microseconds; that of Postgres is for others to read.
 */
import { Client } from 'pg';

const WARM_UP = 500;
const count = Number(process.argv[2]);
const client = new Client({ connectionString: process.env['DATABASE_URL'] });
const insert = {
  name: 'commit',
  text: 'insert into bench_commits (about, at, detail) values ($1, now(), $2)',
};

async function commitMany(commits: number): Promise<void> {
  for (let made = 0; made < commits; made++) {
    await client.query({ ...insert, values: [made, 'x'.repeat(100)] });
  }
}

await client.connect();
await client.query('create table if not exists bench_commits (about bigint, at timestamptz, detail text)');
await commitMany(WARM_UP);
const before = process.cpuUsage();
await commitMany(count);
const { user, system } = process.cpuUsage(before);
await client.end();
process.stdout.write(String((user + system) / count));
