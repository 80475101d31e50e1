/** Translates the target of a media stream from the API. */
import type { StreamTarget } from '@parley/contracts';
import type { StoredStream } from '@parley/db';

/** Why an assistant cannot stand behind a stream. */
export const DISCLOSING =
  'This assistant has a disclosure message, which is not spoken while an agent talks. Select an assistant without one.';

/** The stored form of a target. */
export function storedStream({ url, parameters, on_failure: onFailure }: StreamTarget): StoredStream {
  return { url, parameters: parameters.map(({ name, value }) => ({ name, value })), onFailure };
}
