/** What happens to the calls of a number by day and time, and the outcome of calls that end with a message. */
import { Migration } from '@mikro-orm/migrations';
import { readSql } from '../sql/read-sql.ts';

export class AddInboundRoutes extends Migration {
  override up(): void {
    this.addSql('alter table phone_numbers add column inbound_route jsonb null');
    this.addSql(readSql('functions/call-outcome'));
  }
}
