/**
 * Leads are counted per campaign by their result, for the list of campaigns. The job that adds the changes up counts the leads
 * that were there before.
 */
import { Migration } from '@mikro-orm/migrations';
import { readSql } from '../sql/read-sql.ts';

const COUNTS = `campaign_id bigint not null, leads int not null, completed int not null, reached_max_retries int not null`;

export class CountLeads extends Migration {
  override up(): void {
    this.addSql(
      `create table lead_counts (
         ${COUNTS}, primary key (campaign_id),
         constraint lead_counts_campaign_id_foreign
           foreign key (campaign_id) references campaigns (id) on update cascade on delete cascade
       )`,
    );
    this.addSql(`create table lead_count_changes (id bigserial primary key, ${COUNTS})`);
    this.addSql(readSql('functions/count-leads'));
  }
}
