/** Refused inbound calls are counted by reason. */
import { Migration } from '@mikro-orm/migrations';

export class CountInboundRefusals extends Migration {
  override up(): void {
    this.addSql(
      `create table inbound_refusals (
         reason text not null, count bigint not null, latest_at timestamptz(6) not null, primary key (reason))`,
    );
  }
}
