/** Which name is shown for an id. */
import { texts } from './list/texts.ts';

/** For an assistant without a number. */
export const NO_NAME = '–';

/**
 * @param list - undefined: not loaded
 * @param isLost - the list could not be loaded
 * @returns null while the list is loading; the id itself where no name is known
 */
export function nameOf(
  id: number,
  list: readonly { id: number; name: string }[] | undefined,
  isLost: boolean,
): string | null {
  if (!list && !isLost) return null;
  return list?.find((entry) => entry.id === id)?.name ?? texts.unnamed(id);
}
