/**
 * Imports of leads: one row for each, the rows of a file that were refused, and which import a lead came from.
 * Written from the entities; `schema.test.ts` holds both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class CreateLeadImports extends Migration {
  override up(): void {
    for (const sql of CHANGES) this.addSql(sql);
  }
}

const CHANGES = [
  `
  create table lead_imports (
    id bigserial primary key,
    user_id bigint not null, campaign_id bigint not null, key text null, begun_as text not null,
    state text check (state in ('running', 'interrupted', 'finished', 'undoing', 'undone')) not null,
    run int not null, file_name text null, position int not null default 0, content_hash text not null,
    rows_read int not null default 0, rows_imported int not null default 0, refusals jsonb not null default '{}',
    errors_stored int not null default 0, bytes_read bigint not null, bytes_total bigint null,
    leads_removed int not null default 0, created_at timestamptz(6) not null, updated_at timestamptz(6) not null,
    finished_at timestamptz(6) null
  );
  create index lead_imports_campaign_id_id_index on lead_imports (campaign_id, id);
  create unique index lead_imports_campaign_id_key_unique on lead_imports (campaign_id, key) where key is not null;
  alter table lead_imports add constraint lead_imports_user_id_foreign
    foreign key (user_id) references users (id) on delete cascade;
  alter table lead_imports add constraint lead_imports_campaign_id_foreign
    foreign key (campaign_id) references campaigns (id) on delete cascade;
  `,
  `
  create table lead_import_errors (
    import_id bigint not null, row_number int not null, column_name text null, code text not null, value text not null,
    primary key (import_id, row_number)
  );
  alter table lead_import_errors add constraint lead_import_errors_import_id_foreign
    foreign key (import_id) references lead_imports (id) on delete cascade;
  `,
  `
  alter table leads add column import_id bigint null;
  create index leads_import_id_id_index on leads (import_id, id) where import_id is not null;
  `,
];
