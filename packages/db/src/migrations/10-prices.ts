/**
 * The price list, and what each call was charged.
 * Written from the entities; `schema.test.ts` holds both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class CreatePrices extends Migration {
  override up(): void {
    this.addSql(`
      create table prices (
        id bigserial primary key, trunk_id bigint null, provider_id bigint null, per_minute numeric(12,6) not null
      );
      alter table prices add constraint prices_trunk_id_unique unique (trunk_id);
      alter table prices add constraint prices_provider_id_unique unique (provider_id);
      alter table prices add constraint prices_target_check check ((trunk_id is null) <> (provider_id is null));
      alter table prices add constraint prices_trunk_id_foreign
        foreign key (trunk_id) references trunks (id) on delete cascade;
      alter table prices add constraint prices_provider_id_foreign
        foreign key (provider_id) references providers (id) on delete cascade;
    `);
    this.addSql(`alter table calls add column costs jsonb not null default '[]'`);
  }
}
