/** The tables, functions and triggers of the first release; their SQL is in `../sql`. */
import { Migration } from '@mikro-orm/migrations';
import { readSql } from '../sql/read-sql.ts';

/** Ordered by their references. */
const FILES = [
  'tables/accounts',
  'tables/providers-and-trunks',
  'tables/campaigns',
  'tables/calls',
  'tables/webhooks',
  'functions/ensure-call-partitions',
  'functions/create-lead',
  'functions/count-calls',
  'functions/claim-deliveries',
];

export class CreateTables extends Migration {
  override up(): void {
    for (const file of FILES) this.addSql(readSql(file));
  }
}
