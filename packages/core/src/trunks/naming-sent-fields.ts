/** Errors of trunks that were written in the terms of other products of the API family name the fields that were sent. */
import { inSentTerms } from '@parley/contracts';
import { DomainError } from '../shared/domain-error.ts';

/** @param sent - the body of the request; @throws what `work` throws, with the names of `sent` */
export async function namingSentFields<Result>(sent: object, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof DomainError) || error.kind !== 'invalid') throw error;
    const fields = inSentTerms(error.fields, sent);
    throw new DomainError('invalid', error.message, { fields, cause: error });
  }
}
