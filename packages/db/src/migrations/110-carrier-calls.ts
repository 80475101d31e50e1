/** The id of an outbound call that a carrier streams to us, by which it can be ended after its voice process was lost. */
import { Migration } from '@mikro-orm/migrations';

export class AddCarrierCalls extends Migration {
  override up(): void {
    this.addSql(`alter table live_calls add column carrier_call_id text null`);
  }
}
