/**
 * The price list, set by operators: what a minute of conversation costs on each trunk and at each provider. A call keeps
 * the prices it was charged by; see `costs` of the call's detail. Prices are in whatever currency the operator means.
 */
import { z } from 'zod';
import { c, metadata } from './contract.ts';
import { bodyErrors } from './errors.ts';
import { integer, list, number, shape } from './fields.ts';
import { wording } from './field-wording.ts';
import { written } from './answers.ts';

/** More decimals than this are refused, not rounded. */
const MAX_DECIMALS = 6;
const MAX_PER_MINUTE = 10_000;

function hasFewDecimals(value: number): boolean {
  return Number(value.toFixed(MAX_DECIMALS)) === value;
}

const perMinute = () =>
  number({ minimum: 0, maximum: MAX_PER_MINUTE }).refine(hasFewDecimals, { error: wording.format });

/** The price list as it is read. What is not listed costs nothing. */
export const priceList = z
  .strictObject({
    sip_trunks: z.array(z.strictObject({ sip_trunk_id: z.int(), name: z.string(), per_minute: z.number() })),
    providers: z.array(z.strictObject({ provider_id: z.int(), name: z.string(), per_minute: z.number() })),
  })
  .meta({ id: 'PriceList' });

/** Body of PUT /api/user/prices: the whole list. */
export const priceListBody = shape({
  sip_trunks: list(shape({ sip_trunk_id: integer(), per_minute: perMinute() })).default([]),
  providers: list(shape({ provider_id: integer(), per_minute: perMinute() })).default([]),
});

/** The price list as it is read. */
export type PriceList = z.output<typeof priceList>;
/** The price list as it is written. */
export type PriceListInput = z.output<typeof priceListBody>;

/** The endpoints of the price list. */
export const prices = c.router({
  get: {
    method: 'GET',
    path: '/api/user/prices',
    summary: 'What a minute costs',
    responses: { 200: priceList },
    metadata: metadata({ scope: 'read', role: 'operator' }),
  },
  set: {
    method: 'PUT',
    path: '/api/user/prices',
    summary: 'Replace the price list; calls that have ended keep their costs',
    body: priceListBody,
    responses: { 200: written(priceList).meta({ id: 'PriceListWritten' }), ...bodyErrors },
    metadata: metadata({ scope: 'write', role: 'operator' }),
  },
});
