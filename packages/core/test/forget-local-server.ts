import { statement } from '@parley/db';
import type { CoreContext } from '../src/context.ts';

const moveAway = statement(
  '',
  `update providers set base_url = base_url || '/earlier' where base_url in ($1, $2)`,
);

/** Takes the address from the provider of an earlier test, whose server may have had the same port. */
export async function forgetLocalServer({ db }: CoreContext, port: number): Promise<void> {
  await db.query(moveAway, [`http://127.0.0.1:${port}/v1`, `http://localhost:${port}/v1`]);
}
