/** Accounts at carriers, numbers that are bought through them, and what is known about a number there. */
import { Migration } from '@mikro-orm/migrations';

export class CreateCarrierAccounts extends Migration {
  override up(): void {
    this.addSql(
      `create table carrier_accounts (
         id bigserial primary key, user_id bigint null, name text not null, kind text not null,
         account_sid text null, secret_sealed text not null, tag text not null, connection jsonb null,
         trunk_id bigint null, created_at timestamptz(6) not null,
         constraint carrier_accounts_kind_check check (kind in ('twilio', 'telnyx'))
       )`,
    );
    this.addSql(
      `alter table carrier_accounts
         add constraint carrier_accounts_user_id_foreign foreign key (user_id) references users (id) on delete cascade,
         add constraint carrier_accounts_trunk_id_foreign foreign key (trunk_id) references trunks (id) on delete set null`,
    );
    this.addSql(
      `create table number_purchases (
         id bigserial primary key, user_id bigint not null, carrier_account_id bigint not null,
         phone_number text not null, state text not null, reason text null, monthly_price numeric(12,6) null,
         currency text null, created_at timestamptz(6) not null, updated_at timestamptz(6) not null,
         constraint number_purchases_state_check check (state in ('open', 'bought', 'failed'))
       )`,
    );
    this.addSql(
      `alter table number_purchases
         add constraint number_purchases_user_id_foreign foreign key (user_id) references users (id) on delete cascade,
         add constraint number_purchases_carrier_account_id_foreign
           foreign key (carrier_account_id) references carrier_accounts (id) on delete cascade,
         add constraint number_purchases_carrier_account_id_phone_number_unique unique (carrier_account_id, phone_number)`,
    );
    this.addSql(
      `alter table phone_numbers
         add column carrier_account_id bigint null, add column carrier_ref text null, add column nickname text null,
         add column is_sms_capable boolean not null default false`,
    );
    this.addSql(
      `alter table phone_numbers add constraint phone_numbers_carrier_account_id_foreign
         foreign key (carrier_account_id) references carrier_accounts (id) on delete set null`,
    );
  }
}
