/** How much may be dialed, and how much was; for users, API tokens and trunks. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { generatedId, instant, looseId } from './columns.ts';

const SCOPES = ['user', 'token', 'trunk'] as const;
/** What a limit is for. */
export type DialScope = (typeof SCOPES)[number];

const scope = () => p.text().$type<DialScope>();
const amount = () => p.decimal('number').columnType('numeric(12,6)');

/** The limits of every user, of every token, or of every trunk. Null: no limit. */
export const DialLimits = defineEntity({
  name: 'DialLimits',
  tableName: 'dial_limits',
  properties: {
    scope: p.enum(SCOPES).primary(),
    callsPerSecond: p.integer().strictNullable(),
    callsPerDay: p.integer().strictNullable(),
    costPerDay: amount().strictNullable(),
  },
});

/** What one subject has dialed on its last day. */
export const DialUsage = defineEntity({
  name: 'DialUsage',
  tableName: 'dial_usage',
  properties: {
    scope: scope().primary(),
    subjectId: looseId().primary().autoincrement(false),
    /** UTC. */
    day: p.date(),
    calls: p.integer(),
    cost: amount(),
    /** When its dials of the last second began. */
    recent: p.array().columnType('timestamptz[]'),
  },
});

/** The cost of a call that is not in {@link DialUsage} yet. */
export const DialCost = defineEntity({
  name: 'DialCost',
  tableName: 'dial_costs',
  indexes: [{ name: 'dial_costs_scope_subject_id_index', properties: ['scope', 'subjectId'] }],
  properties: {
    id: generatedId(),
    scope: scope(),
    subjectId: looseId(),
    day: p.date(),
    cost: amount(),
  },
});

/** A subject has used 80 % or all of a limit: once a day for each. */
export const DialWarning = defineEntity({
  name: 'DialWarning',
  tableName: 'dial_warnings',
  properties: {
    scope: scope().primary(),
    subjectId: looseId().primary().autoincrement(false),
    day: p.date().primary(),
    /** `calls_per_second`, `calls_per_day` or `cost_per_day`. */
    measure: p.text().primary(),
    /** 80 or 100. */
    thresholdPercent: p.integer().primary().autoincrement(false).default(80),
    used: amount(),
    max: amount(),
    reachedAt: instant(),
  },
});

/** A row of {@link DialLimits}. */
export type DialLimitsRow = InferEntity<typeof DialLimits>;
/** A row of {@link DialWarning}. */
export type DialWarningRow = InferEntity<typeof DialWarning>;
