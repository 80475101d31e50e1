/** The limit of one live call per number applies to outbound calls: every phone of a PBX may show the same caller number. */
import { Migration } from '@mikro-orm/migrations';

export class AllowInboundCallsPerNumber extends Migration {
  override up(): void {
    this.addSql('drop index live_calls_one_call_per_number');
    this.addSql(
      `create unique index live_calls_one_call_per_number on live_calls (user_id, client_phone_number)
         where type = 'outbound' and starts_with(client_phone_number, '+')`,
    );
  }
}
