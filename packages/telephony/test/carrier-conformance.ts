/** The suites of legs and of their sound, for the stream of one carrier. */
import { describeCallLeg } from './call-leg-conformance.ts';
import { connectCarrier, type CarrierWords } from './fake-carrier.ts';
import { describeMediaPort } from './media-port-conformance.ts';

export function describeCarrier(name: string, words: CarrierWords): void {
  describeCallLeg(name, async () => {
    const { leg, carrier } = await connectCarrier(words);
    return {
      leg,
      hangUpAtFarEnd: () => carrier.tell('stop', { stop: {} }),
      pressAtFarEnd: (digit) => carrier.tell('dtmf', { dtmf: { digit } }),
      async close() {
        await leg.hangUp();
      },
    };
  });

  describeMediaPort(name, async () => {
    const { leg, carrier, pass } = await connectCarrier(words);
    await leg.answer();
    let said = new Int16Array(0);
    return {
      port: leg.media,
      sayAtFarEnd: (samples) => {
        said = Int16Array.from(samples);
      },
      // Mu-law keeps 14 bits of loud samples: a small error remains.
      heardAtFarEnd: () => Int16Array.from(carrier.heard),
      async passTime() {
        pass(1, said);
        said = said.slice(160);
        await new Promise((resolve) => setImmediate(resolve));
      },
      async close() {
        carrier.isEchoing = true;
        const ended = leg.hangUp();
        pass(10);
        await ended;
      },
    };
  });
}
