import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { flag, listenAddress, parseSettings, port, portRange, secret, SettingsError } from './settings.ts';

const schema = z.object({
  PORT: port.default(3000),
  SECRET_KEY: secret,
  SIP_LISTEN: listenAddress,
  RTP_PORTS: portRange,
  VERBOSE: flag.default(false),
});

describe('parseSettings', () => {
  it('reads every kind of value', () => {
    const settings = parseSettings(schema, {
      SECRET_KEY: 'k'.repeat(32),
      SIP_LISTEN: '[::1]:5060',
      RTP_PORTS: '40000-40999',
      VERBOSE: 'on',
      UNRELATED: 'x',
    });
    expect(settings).toEqual({
      PORT: 3000,
      SECRET_KEY: 'k'.repeat(32),
      SIP_LISTEN: { host: '::1', port: 5060 },
      RTP_PORTS: { first: 40_000, last: 40_999 },
      VERBOSE: true,
    });
  });

  it('reports all faults together, and treats an empty variable as missing', () => {
    const read = (): unknown =>
      parseSettings(schema, { PORT: '70000', SECRET_KEY: '', SIP_LISTEN: 'nowhere', RTP_PORTS: '5-1' });
    expect(read).toThrow(SettingsError);
    expect(read).toThrow(
      /PORT: [\s\S]*SECRET_KEY: is required and missing[\s\S]*SIP_LISTEN: must look[\s\S]*RTP_PORTS: must/,
    );
  });
});
