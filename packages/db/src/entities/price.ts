/** What a minute costs, as operators set it: one row for each trunk or provider that has a price. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { generatedId } from './columns.ts';
import { Trunk } from './line.ts';
import { Provider } from './lookup.ts';

/** One part of what a call cost, as it is kept on the call. */
export interface StoredCost {
  kind: 'carrier' | 'provider';
  /** Of the trunk or provider. */
  name: string;
  seconds: number;
  perMinute: number;
  amount: number;
}

/** The price of a minute on one trunk, or at one provider. */
export const Price = defineEntity({
  name: 'Price',
  tableName: 'prices',
  checks: [{ name: 'prices_target_check', expression: '(trunk_id is null) <> (provider_id is null)' }],
  properties: {
    id: generatedId(),
    trunkId: () =>
      p.manyToOne(Trunk).mapToPk().joinColumn('trunk_id').deleteRule('cascade').unique().strictNullable(),
    providerId: () =>
      p
        .manyToOne(Provider)
        .mapToPk()
        .joinColumn('provider_id')
        .deleteRule('cascade')
        .unique()
        .strictNullable(),
    /** Of a minute of conversation; seconds count in proportion. */
    perMinute: p.decimal('number').columnType('numeric(12,6)'),
  },
});

/** A row of {@link Price}. */
export type PriceRow = InferEntity<typeof Price>;
