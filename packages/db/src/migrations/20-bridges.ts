/**
 * The second leg of a bridge: a live row of its own, which says whose it is, so that whatever counts live calls counts
 * it too. Written from the entities; `schema.test.ts` holds both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class AddBridges extends Migration {
  override up(): void {
    this.addSql(`alter table live_calls add column bridged_call_id bigint null`);
    this.addSql(
      `create index live_calls_bridged_call_id_index on live_calls (bridged_call_id) where bridged_call_id is not null`,
    );
  }
}
