/** A disclosure message must be spoken word by word, which a speech-to-speech model does not guarantee. */
import { fieldFault } from '@parley/contracts';
import { Language, type AssistantRow, type Tx } from '@parley/db';
import type { FieldMessages } from '../shared/domain-error.ts';

/** The only language of the built-in voice. */
const BUILT_IN_LANGUAGE = 'en';
const CANNOT_SPEAK =
  'The :attribute of a multimodal assistant is spoken by the built-in voice, which speaks English only. Choose English, or a pipeline assistant.';

/** The texts for a message that no voice of the assistant can speak; none if one can, or without a message. */
export async function disclosureFault(
  tx: Tx,
  { mode, languageId }: Pick<AssistantRow, 'mode' | 'languageId'>,
  message: string | null,
): Promise<FieldMessages> {
  if (message === null || mode !== 'multimodal') return {};
  const language = await tx.em.findOne(Language, { id: languageId });
  return language?.iso2 === BUILT_IN_LANGUAGE ? {} : fieldFault('disclosure_message', CANNOT_SPEAK);
}
