/**
 * Checks the rows that were there before `64-own-dial-limits`. A migration of its own, because it reads the whole table,
 * and its lock lets others write meanwhile.
 */
import { Migration } from '@mikro-orm/migrations';

export class CheckDeliveryTargets extends Migration {
  override up(): void {
    this.addSql('alter table deliveries validate constraint deliveries_target_check');
  }
}
