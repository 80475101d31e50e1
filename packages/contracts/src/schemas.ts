/**
 * Everything of the contract but the endpoints: shapes, wording, dates, envelope. Browsers enter here
 * (`@parley/contracts/schemas`), because the endpoints bring ts-rest along, and with it a second zod.
 */
export { assistantDefaults } from './assistant-defaults.ts';
export * from './assistant-input.ts';
export * from './assistant-record.ts';
export * from './call-record.ts';
export * from './coercion.ts';
export * from './dates.ts';
export * from './envelope.ts';
export * from './errors.ts';
export * from './field-wording.ts';
export * from './fields.ts';
export * from './webhooks.ts';
