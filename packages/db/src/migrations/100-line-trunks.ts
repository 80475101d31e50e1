/**
 * Trunks that are one line, as other products of the API family create them: they are removed together with their number, by
 * the id of either. Their ids are above those of all phone numbers, so that an id names one of the two.
 */
import { Migration } from '@mikro-orm/migrations';

export class AddLineTrunks extends Migration {
  override up(): void {
    this.addSql('create sequence line_trunk_ids start with 1000000001');
    this.addSql('alter table trunks add column is_one_line boolean not null default false');
  }
}
