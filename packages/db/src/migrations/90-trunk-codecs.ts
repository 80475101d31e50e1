/** The codecs of a trunk, in order of preference. */
import { Migration } from '@mikro-orm/migrations';

export class AddTrunkCodecs extends Migration {
  override up(): void {
    this.addSql(`alter table trunks add column codecs text[] not null default '{}'`);
  }
}
