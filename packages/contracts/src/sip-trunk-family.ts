/**
 * SIP trunks as other products of the API family write them: one number, or one extension of a telephone system, with its
 * account. Bodies in these terms are translated to ours. A field that has no counterpart here is refused.
 */
import type { z } from 'zod';
import { boolean, choice, headerText, notImplemented, nullable, requiredText, text } from './fields.ts';
import { wording, type FieldErrors } from './field-wording.ts';
import {
  newTrunkBody,
  trunkChangesBody,
  trunkHost,
  type NewTrunk,
  type TrunkChanges,
} from './sip-trunk-bodies.ts';
import type { trunkNumberFormats } from './form-choices.ts';

/** `number`: a phone number of a carrier; `extension`: a line of a telephone system. */
export const familyTrunkTypes = ['extension', 'number'] as const;
/** How numbers are written to the trunk, and our names of that. */
const CALLING_FORMATS = { '+e164': 'e164', e164: 'e164_without_plus', national: 'national' } as const;
export const familyCallingFormats = ['+e164', 'e164', 'national'] as const;
/** How a trunk is known by its inbound calls: it is registered, or its addresses are known. */
export const familyAuthorizations = ['auth', 'ip'] as const;

/** The format of a trunk in the terms of the family. */
export function familyCallingFormat(
  format: (typeof trunkNumberFormats)[number],
): (typeof familyCallingFormats)[number] {
  return format === 'e164_without_plus' ? 'e164' : format === 'e164' ? '+e164' : format;
}

const familyFields = {
  sip_address: nullable(trunkHost()).optional(),
  sip_username: nullable(headerText({ maximum: 255 })).optional(),
  sip_password: nullable(text({ maximum: 255 })).optional(),
  sip_calling_format: nullable(choice(familyCallingFormats)).optional(),
  country_code: nullable(text({ maximum: 2 })).optional(),
  inbound_authorization_type: nullable(choice(familyAuthorizations)).optional(),
  /** Inbound calls are accepted from the addresses of the trunk's hosts. */
  allowed_inbound_ips: notImplemented(),
  outbound_proxy: boolean()
    .refine((isWanted) => !isWanted, { error: wording.selected })
    .optional(),
};

type FamilyFields = z.output<z.ZodObject<typeof familyFields>>;

/** The user name of an extension in a SIP URI. */
const EXTENSION = /^[\w.+-]{1,15}$/;

const newFamilyFields = newTrunkBody.extend({
  name: requiredText({ maximum: 255 }).optional(),
  host: trunkHost().optional(),
  ...familyFields,
  sip_trunk_type: nullable(choice(familyTrunkTypes)).optional(),
  phone_number: nullable(text({ maximum: 64 })).optional(),
});

type NewFamilyTrunk = z.output<typeof newFamilyFields>;

/** A trunk, and the number that it is created with; null: none. */
export interface NewTrunkWithNumber {
  trunk: NewTrunk;
  phoneNumber: string | null;
  /** It was created in the terms of the family, for one number or extension: the two are removed together. */
  isOneLine: boolean;
  /** The body as it was sent, for {@link inSentTerms}. */
  sent: object;
}

const always = { when: () => true };

/** Body of POST /api/user/phone-numbers/sip-trunks, in either terms. */
export const familyTrunkBody = newFamilyFields
  .superRefine(requireNewTrunk, always)
  .superRefine(refuseTwoValues, always)
  .transform((body): NewTrunkWithNumber => {
    const { sip_trunk_type: type, phone_number: phoneNumber, name, ...rest } = body;
    const isExtension = type === 'extension';
    const terms = inOwnTerms(rest);
    const host = terms.host ?? '';
    const trunk = { ...terms, host, name: name ?? phoneNumber ?? host };
    const about = { isOneLine: isExtension || phoneNumber != null, sent: body };
    return isExtension
      ? { ...about, trunk: { ...trunk, from_user: phoneNumber ?? null }, phoneNumber: null }
      : { ...about, trunk, phoneNumber: phoneNumber ?? null };
  });

const familyChanges = {
  ...familyFields,
  sip_trunk_type: nullable(choice(familyTrunkTypes)).optional(),
  phone_number: nullable(text({ maximum: 64 })).optional(),
};

/** What of a trunk changes, in the terms of the family. */
export type FamilyTrunkChanges = z.output<z.ZodObject<typeof familyChanges>>;

/** Body of PUT …/{id}, in either terms. Clients may send back a whole record, which has both. */
export const familyTrunkChangesBody = trunkChangesBody.extend(familyChanges);

/** A change in the terms of ours, or the fields that cannot be changed to these values. */
export function changesInOwnTerms(
  body: TrunkChanges & FamilyTrunkChanges,
  present: Record<string, unknown>,
): { changes: TrunkChanges } | { refused: string[] } {
  const sent = Object.entries(body).filter(
    ([name, value]) => !(name in familyChanges) || value !== present[name],
  );
  const changed: typeof body = Object.fromEntries(sent);
  const { sip_trunk_type: type, phone_number: phoneNumber, ...rest } = changed;
  const refused = [
    ...(type == null ? [] : ['sip_trunk_type']),
    ...(phoneNumber == null ? [] : ['phone_number']),
    ...contradictions(rest),
  ];
  return refused.length > 0 ? { refused } : { changes: inOwnTerms(rest) };
}

/** The fields of the family take precedence over fields of ours that have a default. */
function inOwnTerms<Body extends TrunkChanges & FamilyFields>(body: Body) {
  const {
    sip_address: address,
    sip_username: username,
    sip_password: password,
    sip_calling_format: format,
    country_code: country,
    inbound_authorization_type: authorization,
    allowed_inbound_ips: _addresses,
    outbound_proxy: _proxy,
    ...own
  } = body;
  return {
    ...own,
    ...(address != null && { host: address }),
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(format != null && { number_format: CALLING_FORMATS[format] }),
    ...(country !== undefined && { default_country: country }),
    ...(authorization != null && { registers: authorization === 'auth' }),
  };
}

function requireNewTrunk(body: Partial<NewFamilyTrunk>, context: z.RefinementCtx): void {
  const { name, host, sip_address: address, sip_trunk_type: type, phone_number: number } = body;
  const fault = (field: string, message: string): void =>
    context.addIssue({ code: 'custom', path: [field], message });
  // The fields may be invalid, which their own rules report.
  const isType = familyTrunkTypes.some((known) => known === type);
  const isOfFamily = address != null || isType;
  if (!isOfFamily && name === undefined) fault('name', wording.required);
  if (host === undefined && address == null) fault(isOfFamily ? 'sip_address' : 'host', wording.required);
  if (isType && number == null) fault('phone_number', wording.required);
  if (type === 'extension' && typeof number === 'string' && !EXTENSION.test(number))
    fault('phone_number', wording.format);
}

function refuseTwoValues(body: Partial<NewFamilyTrunk>, context: z.RefinementCtx): void {
  for (const name of contradictions(body))
    context.addIssue({ code: 'custom', path: [name], message: wording.selected });
}

/** Fields of the family that have another value than the field of ours. */
function contradictions(body: Partial<Record<(typeof TWO_NAMES)[number][number], unknown>>): string[] {
  return TWO_NAMES.filter(
    ([ofFamily, own]) => body[ofFamily] != null && body[own] != null && body[ofFamily] !== body[own],
  ).map(([ofFamily]) => ofFamily);
}

/** Faults of our fields under the names of the family, if the body is in its terms. */
export function inSentTerms(faults: FieldErrors, sent: object): FieldErrors {
  const isOfFamily = TWO_NAMES.some(([ofFamily, own]) => ofFamily in sent && !(own in sent));
  if (!isOfFamily) return faults;
  const names = TWO_NAMES.filter(([, own]) => !(own in sent));
  const inWords = (text: string): string =>
    names.reduce((result, [ofFamily, own]) => result.replaceAll(asWords(own), asWords(ofFamily)), text);
  const renamed = Object.entries(faults).map(([field, texts]) => {
    const ofFamily = names.find(([, own]) => own === field)?.[0];
    return [ofFamily ?? field, texts.map(inWords)] as const;
  });
  return Object.fromEntries(renamed);
}

/** A field inside a sentence. */
function asWords(field: string): string {
  return ` ${field.replaceAll('_', ' ')} `;
}

/** The names of fields in the family and in our API. */
const TWO_NAMES = [
  ['sip_address', 'host'],
  ['sip_username', 'username'],
  ['sip_password', 'password'],
  ['country_code', 'default_country'],
] as const;
