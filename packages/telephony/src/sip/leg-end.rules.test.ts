import { describe, expect, it } from 'vitest';
import type { CallEnd } from '@parley/sip';
import { toLegEnd, type OwnReason } from './leg-end.rules.ts';

describe('the end of a leg', () => {
  it.each<[CallEnd, OwnReason, string]>([
    [{ by: 'response', status: 486 }, null, 'busy'],
    [{ by: 'response', status: 600 }, null, 'busy'],
    [{ by: 'response', status: 408 }, null, 'no-answer'],
    [{ by: 'response', status: 480 }, null, 'no-answer'],
    [{ by: 'response', status: 503 }, null, 'unreachable'],
    [{ by: 'response', status: 302 }, null, 'rejected'],
    [{ by: 'response', status: 404 }, null, 'rejected'],
    [{ by: 'response', status: 603 }, null, 'rejected'],
    [{ by: 'response', status: 486 }, 'ring-limit', 'busy'],
    [{ by: 'no-response' }, null, 'unreachable'],
    [{ by: 'no-response' }, 'ring-limit', 'unreachable'],
    [{ by: 'transport' }, null, 'unreachable'],
    [{ by: 'cancel' }, null, 'cancelled'],
    [{ by: 'cancel' }, 'ring-limit', 'no-answer'],
    [{ by: 'late-answer' }, null, 'answered-late'],
    [{ by: 'late-answer' }, 'ring-limit', 'answered-late'],
    [{ by: 'unusable-answer' }, null, 'rejected'],
    [{ by: 'remote-cancel' }, null, 'cancelled'],
    [{ by: 'refusal', status: 480 }, 'ring-limit', 'no-answer'],
    [{ by: 'refusal', status: 486 }, null, 'rejected'],
    [{ by: 'no-ack' }, null, 'line-lost'],
    [{ by: 'session-expired' }, null, 'line-lost'],
    [{ by: 'redirect-refused', status: 302, why: 'loop' }, null, 'rejected'],
    [{ by: 'remote-bye' }, 'no-sound', 'remote-hang-up'],
    [{ by: 'local-bye' }, null, 'local-hang-up'],
    [{ by: 'local-bye' }, 'no-sound', 'line-lost'],
  ])('is for %j and our reason %s %s', (end, reason, cause) => {
    expect(toLegEnd(end, reason).cause).toBe(cause);
  });

  it('includes the final response, if any', () => {
    expect(toLegEnd({ by: 'response', status: 486 }, null)).toMatchObject({ sipStatus: 486 });
  });
});
