/** Looks a number up in a user's do-not-call list. SQL, because it runs for every call that is placed. */
import { statement, type Tx } from '@parley/db';

const isListed = statement<{ phoneNumber: string }>(
  'is_on_do_not_call_list',
  `select phone_number from do_not_call where user_id = $1 and phone_number = $2`,
);

/** @param phoneNumber - E.164 */
export async function isOnDoNotCallList(tx: Tx, userId: number, phoneNumber: string): Promise<boolean> {
  return (await tx.query(isListed, [userId, phoneNumber])).length > 0;
}
