/** Makes an assistant for its owner. */
import { errorText, fieldFault, wording, type AssistantRecord, type NewAssistant } from '@parley/contracts';
import { Assistant, isUniqueViolation } from '@parley/db';
import { now, type CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { assistantFromInput } from './assistant-input.ts';
import { findAssistantReferences } from './assistant-references.ts';
import { findAssistant } from './find-assistant.ts';

/** @throws DomainError `invalid`, with messages per field, for references that lead nowhere */
export async function createAssistant(
  ctx: CoreContext,
  identity: Identity,
  input: NewAssistant,
): Promise<AssistantRecord> {
  const references = await findAssistantReferences(ctx, identity, input);
  const em = ctx.db.orm();
  const about = { userId: identity.userId, at: now(ctx) };
  const assistant = em.create(Assistant, assistantFromInput(input, references, about));
  try {
    await em.flush();
  } catch (error) {
    throw numberTaken(error) ?? error;
  }
  return findAssistant(ctx, identity, assistant.id);
}

/** Two inbound assistants were given the same number at the same time: the index lets one win. */
function numberTaken(error: unknown): DomainError | null {
  if (!isUniqueViolation(error, 'assistants_inbound_number_unique')) return null;
  const fields = fieldFault('phone_number_id', wording.selected);
  return new DomainError('invalid', errorText.validationFailed, { fields, cause: error });
}
