/** Why rows of a file are refused, in the report of an import and in the check before it. */
import type { ImportErrorCode } from '@parley/contracts';

/** A sentence for each reason. */
export const refusalTexts: Readonly<Record<ImportErrorCode, string>> = {
  duplicate: 'The campaign or an earlier row has this number already.',
  phone_number_missing: 'There is no phone number.',
  phone_number_invalid: 'This is not a possible phone number.',
  too_many_cells: 'The row has more cells than the header.',
  variables_too_large: 'The variables are larger than 64 KiB.',
  not_utf8: 'The text is damaged: it is not UTF-8 as the text before it. Save the file as "CSV UTF-8".',
  forbidden_character: 'The text has a character that cannot be stored.',
};
