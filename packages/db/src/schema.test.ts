import { createTestDatabase, takeTestDatabase } from '@parley/testkit';
import { silentLog } from '@parley/runtime';
import { describe, expect, inject, it, onTestFinished } from 'vitest';
import { migrate, statement } from './index.ts';
import { migrations } from './migrations/all.ts';
import { createOrm } from './orm.ts';

const monthlyPartitions = statement<{ name: string }>(
  '',
  `select inhrelid::regclass::text as name from pg_inherits
   where inhparent in ('calls'::regclass, 'call_events'::regclass) and inhrelid::regclass::text not like '%_default'
   order by 1`,
);

describe('the schema', () => {
  it('is the same in the entities and in the migrations', async () => {
    const database = await createTestDatabase();
    onTestFinished(() => database.drop());
    // The entities know only the default partitions; the months come and go.
    for (const { name } of await database.db.query(monthlyPartitions)) {
      await database.db.query(statement('', `drop table ${name}`));
    }
    // Nor do they know triggers: the migration says what those do.
    for (const name of ['calls_count_insert', 'calls_count_update', 'calls_count_delete']) {
      await database.db.query(statement('', `drop trigger ${name} on calls`));
    }
    for (const name of ['leads_count_insert', 'leads_count_update', 'leads_count_delete']) {
      await database.db.query(statement('', `drop trigger ${name} on leads`));
    }
    for (const name of ['audit_entries_append_only', 'audit_entries_no_truncate'])
      await database.db.query(statement('', `drop trigger ${name} on audit_entries`));
    const orm = createOrm(database.url, { poolSize: 1, log: silentLog });
    try {
      const update = await orm.schema.getUpdateSchemaSQL();
      expect(update.replace(`set names 'utf8';`, '').trim()).toBe('');
    } finally {
      await orm.close(true);
    }
  });

  it('has every language once, and the built-in voices and model', async () => {
    const database = await takeTestDatabase();
    const counts = statement<{ languages: number; names: number; voices: number; models: number }>(
      '',
      `select (select count(*) from languages) as languages, (select count(distinct iso_2) from languages) as names,
         (select count(*) from voices) as voices, (select count(*) from llm_models) as models`,
    );
    const [row] = await database.db.query(counts);
    expect(row).toEqual({ languages: row?.names, names: row?.languages, voices: 3, models: 1 });
    expect(row?.languages).toBeGreaterThan(50);
  });
});

/** Takes back what migrations after the first release have done: a preview does not have it. */
const UNDO_LATER = [
  ...['insert', 'update', 'delete'].map((name) => `drop trigger leads_count_${name} on leads`),
  'drop table lead_counts, lead_count_changes',
  'alter table live_calls drop column sip_invite, add constraint live_calls_sip_call_id_unique unique (sip_call_id)',
  'alter table live_calls drop column carrier_call_id',
  'alter table providers drop column transcription_model, drop column is_found, drop column converts_sample_rate',
  'drop table call_progress',
  'alter table live_calls drop column take_overs',
  'drop table written_messages, written_conversations',
  'alter table assistants drop column conversation_ended_webhook_url, drop column conversation_inactivity_minutes, drop column is_conversation_end_repeated',
  'alter table trunks drop column codecs',
  'alter table voice_processes drop column admitted_calls',
  'alter table trunks drop column incoming_refer',
  'drop table chunk_codes, chunk_vectors, embedding_usage',
  'alter table llm_models drop column purpose',
  'drop table suite_conversations, suite_runs, suites, action_confirmations',
  'alter table api_tokens drop column requires_confirmation',
  'alter table phone_numbers drop column inbound_route',
  'drop table call_dispositions',
  'alter table campaigns drop column dispositions',
  'drop table sms_messages',
  'alter table dial_policy drop column sms_per_day',
  'alter table phone_numbers drop column carrier_account_id, drop column carrier_ref, drop column nickname, drop column is_sms_capable',
  'drop table number_purchases, carrier_accounts',
  'alter table users drop column announces_listening',
  'alter table trunks drop column tls_verify, drop column media_encryption',
  'alter table trunks drop constraint trunks_transport_check',
  `alter table trunks add constraint trunks_transport_check check (transport in ('udp', 'tcp'))`,
  'drop table webhook_endpoints',
  `alter table deliveries drop column endpoint_id, add constraint deliveries_target_check check (target = 'post-call')`,
  'drop table recorded_phrase_sounds, recorded_phrases',
  'drop table assistant_versions',
  'drop table rate_limit_windows',
  'drop table widget_calls',
  'alter table users drop column max_calls_per_second, drop column max_calls_per_day, drop column max_cost_per_day',
  'alter table users drop column limit_webhook_url',
  'alter table trunks drop column max_calls_per_second, drop column max_calls_per_day, drop column max_cost_per_day',
  'alter table trunks drop column other_hosts, drop column priority, drop column auth_username',
  'drop table sip_traces',
  'drop table trunk_registrations',
  'alter table trunks drop column registers, drop column registrar, drop column register_expires',
  'alter table users drop column removal_requested_at',
  'drop table number_attempts',
  'alter table users drop column max_attempts_per_number_per_day, drop column max_attempts_per_number_per_week',
  'alter table api_tokens drop column allowed_numbers, drop column max_calls_per_day, drop column max_cost_per_day',
  'alter table assistants drop column redact',
  'drop table document_chunks, document_sources, documents, knowledgebases',
  'drop table tools',
  'alter table assistants drop column tool_ids',
  'alter table trunks drop column inbound_caller_source, drop column inbound_called_source, drop column outbound_caller_header, drop column from_user, drop column from_name',
  'alter table calls drop column diverted_from, drop column caller_name, drop column caller_identity',
  'drop table consents',
  'alter table campaigns drop column is_consent_required',
  'drop table api_requests, price_settings',
  'drop table audit_entries',
  'drop function parley_refuse_audit_change',
  'alter table recordings drop column is_noise_removed',
  'alter table assistants drop column disclosure_message',
  'alter table campaigns drop column disclosure_message',
  'drop table recovery_codes',
  'alter table users drop column totp_secret_sealed, drop column totp_enabled_at, drop column totp_last_step',
  'alter table users drop column disabled_at',
  'alter table do_not_call drop column call_id',
  'alter table assistants drop column opt_out_key, drop column fallback_llm_models',
  'alter table assistants drop column folder_id, drop column label_ids',
  'drop table assistant_groups',
  'alter table assistants drop column initial_message_delay_seconds, drop column is_initial_message_interruptible',
  'alter table call_counts drop column outcome',
  'alter table call_count_changes drop column outcome',
  'alter table users drop column last_sign_in_at',
  'alter table sessions drop column sign_in_id, drop column signed_in_at, drop column network_address, drop column user_agent',
  'alter table trunks drop column rtp_timeout_seconds, drop column first_success_at, drop column is_one_line',
  'drop sequence line_trunk_ids',
  'alter table trunks drop column dtmf, drop column default_country, drop column number_format',
  'alter table campaigns drop column token_id',
  'alter table live_calls drop column token_id',
  'alter table live_calls drop column queue_number_id, drop column queued_at, drop column is_queue_stalled',
  'drop table dial_policy, dial_limits, dial_usage, dial_costs, dial_warnings, restored_copy, inbound_refusals',
  'create sequence voice_epochs',
  'alter table voice_processes add column epoch bigint not null',
  'alter table live_calls add column voice_epoch bigint null',
];

describe('migrating', () => {
  it('is safe in three processes at once, and repeating it changes nothing', async () => {
    const fresh = await createEmptyDatabase();
    try {
      await Promise.all([migrate(fresh.url), migrate(fresh.url), migrate(fresh.url)]);
      await migrate(fresh.url);
      const applied = statement<{ name: string }>('', `select name from mikro_orm_migrations order by id`);
      const names = (await fresh.db.query(applied)).map((row) => row.name);
      expect(names).toHaveLength(new Set(names).size);
      expect(names[0]).toBe('01-tables');
    } finally {
      await fresh.drop();
    }
  });

  it('keeps the data of an installation that was made before the first release', async () => {
    const preview = await createTestDatabase(inject('postgresUrl'));
    const { url, db } = preview;
    try {
      await db.query(statement('', `delete from mikro_orm_migrations`));
      for (const undo of UNDO_LATER) await db.query(statement('', undo));
      await db.query(
        statement(
          '',
          `insert into mikro_orm_migrations (name, executed_at)
           values ('01-users', now()), ('24-call-day-counts', now())`,
        ),
      );
      await migrate(url);
      const applied = statement<{ name: string }>('', `select name from mikro_orm_migrations order by id`);
      expect(await db.query(applied)).toEqual(migrations.map(({ name }) => ({ name })));
    } finally {
      await preview.drop();
    }
  });
});

/** A database of the run's server with nothing in it. */
async function createEmptyDatabase() {
  const database = await createTestDatabase(inject('postgresUrl'));
  await database.db.query(statement('', 'drop schema public cascade'));
  await database.db.query(statement('', 'create schema public'));
  await database.db.query(statement('', 'drop schema graphile_worker cascade'));
  return database;
}
