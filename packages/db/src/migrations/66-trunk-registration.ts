/** Trunks that register at a PBX or carrier, and by which voice process each is registered. */
import { Migration } from '@mikro-orm/migrations';

export class CreateTrunkRegistrations extends Migration {
  override up(): void {
    this.addSql(
      `alter table trunks add column registers boolean not null default false, add column registrar text null,
         add column register_expires int not null default 300`,
    );
    this.addSql(
      `create table trunk_registrations (
         trunk_id bigint not null, holder_id uuid not null, lease_until timestamptz(6) not null,
         state text not null, sip_status int null, reason text null, since timestamptz(6) not null,
         expires_at timestamptz(6) null,
         primary key (trunk_id)
       )`,
    );
    this.addSql(
      `alter table trunk_registrations add constraint trunk_registrations_state_check
         check (state in ('registering', 'registered', 'failed'))`,
    );
    this.addSql(
      `alter table trunk_registrations add constraint trunk_registrations_trunk_id_foreign
         foreign key (trunk_id) references trunks (id) on update cascade on delete cascade`,
    );
  }
}
