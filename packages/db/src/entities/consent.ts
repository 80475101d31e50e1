/** Records of consent: that a person agreed to be called, when, where, and to which words. */
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { instant, owner } from './columns.ts';

export const Consent = defineEntity({
  name: 'Consent',
  tableName: 'consents',
  properties: {
    userId: () => owner().primary(),
    /** E.164. */
    phoneNumber: p.text().primary(),
    /** Where the person agreed, for example the name of a form. */
    source: p.text(),
    /** The words to which the person agreed; possibly empty. */
    text: p.text(),
    consentedAt: instant(),
    createdAt: instant(),
  },
});

/** A row of {@link Consent}. */
export type ConsentRow = InferEntity<typeof Consent>;
