/** The fake leg does what every leg must do. */
import { FakeLeg } from '../src/fakes/index.ts';
import { describeCallLeg } from './call-leg-conformance.ts';
import { describeMediaPort } from './media-port-conformance.ts';

describeCallLeg('fake', async () => {
  const leg = new FakeLeg({ id: 'call-id', direction: 'inbound' });
  return {
    leg,
    hangUpAtFarEnd: () => leg.hangUpAtFarEnd(),
    pressAtFarEnd: (digit) => leg.pressAtFarEnd(digit),
    close: async () => leg.hangUpAtFarEnd(),
  };
});

describeMediaPort('fake', async () => {
  const { media } = new FakeLeg({ id: 'call-id', direction: 'inbound' });
  return {
    port: media,
    sayAtFarEnd: (samples) => media.sayAtFarEnd(samples),
    heardAtFarEnd: () => Int16Array.from(media.heard),
    passTime: async () => media.passFrame(),
    close: async () => undefined,
  };
});
