/**
 * Prices by unit of lines, providers, models and voices, and on each call what it used of each stage.
 * Written from the entities; `schema.test.ts` holds both together.
 */
import { Migration } from '@mikro-orm/migrations';

export class PriceStages extends Migration {
  override up(): void {
    this.addSql(`
      alter table prices drop constraint prices_trunk_id_unique, drop constraint prices_provider_id_unique,
        drop constraint prices_target_check;
      alter table prices rename column per_minute to price;
      alter table prices add column llm_model_id bigint null, add column voice_id bigint null,
        add column unit text not null default 'minute';
      alter table prices alter column unit drop default;
      alter table prices add constraint prices_llm_model_id_foreign
        foreign key (llm_model_id) references llm_models (id) on delete cascade;
      alter table prices add constraint prices_voice_id_foreign
        foreign key (voice_id) references voices (id) on delete cascade;
      alter table prices add constraint prices_target_check
        check (num_nonnulls(trunk_id, provider_id, llm_model_id, voice_id) = 1);
      alter table prices add constraint prices_unit_check check (unit in
        ('minute', 'second', 'character', 'input_token', 'cached_input_token', 'audio_input_token', 'output_token',
         'audio_output_token'));
      alter table prices add constraint prices_trunk_id_unit_unique unique (trunk_id, unit);
      alter table prices add constraint prices_provider_id_unit_unique unique (provider_id, unit);
      alter table prices add constraint prices_llm_model_id_unit_unique unique (llm_model_id, unit);
      alter table prices add constraint prices_voice_id_unit_unique unique (voice_id, unit);
    `);
    this.addSql(`
      update calls set costs = (select jsonb_agg(jsonb_build_object(
          'stage', cost->'kind', 'name', cost->'name', 'quantity', cost->'seconds', 'unit', 'second', 'isEstimated', false,
          'basis', 'listed', 'price', cost->'perMinute', 'pricePer', 60, 'amount', cost->'amount'))
        from jsonb_array_elements(costs) cost)
      where costs <> '[]'
    `);
  }
}
