/** When a trunk first carried a call, so that a trunk that was never tried is not shown as ready. */
import { Migration } from '@mikro-orm/migrations';

export class AddTrunkFirstSuccess extends Migration {
  override up(): void {
    this.addSql('alter table trunks add column first_success_at timestamptz(6) null');
    this.addSql(`update trunks set first_success_at = o.at
      from (select trunk_id, min(at) as at from trunk_outcomes where not is_fault group by trunk_id) o
      where o.trunk_id = trunks.id`);
  }
}
