/** The messages that the far end of a socket with sound may send. */
import type { MessageRate } from '@parley/runtime';

/**
 * At once a minute of sound, which a connection that stood still may deliver together. Sound in real time needs 50 messages
 * each second.
 */
export const SOUND_MESSAGES: MessageRate = { burst: 3_000, perSecond: 500 };
