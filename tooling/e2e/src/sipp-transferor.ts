/**
 * A PBX whose phone transfers the call that it has answered: it sends REFER, takes the reports, and hangs up after the last one.
 * The party is behind the same PBX, and stays until our BYE.
 */
import {
  answerCall,
  expectRequest,
  expectResponse,
  respondInDialog,
  sendInDialog,
  startSipp,
  type SippFarEnd,
} from './sipp-scenario.ts';

/** Starts it on 127.0.0.1; it ends after both calls. @param party - its number in E.164 */
export async function startTransferor(port: number, party: string): Promise<SippFarEnd> {
  const isForParty = `<ereg regexp="INVITE sip:\\${party}@" search_in="msg" check_it="false" assign_to="party"/>`;
  const takeReport = [expectRequest('NOTIFY'), respondInDialog('200 OK')];
  const steps = [
    ...answerCall(isForParty),
    '<nop next="party" test="party"></nop>',
    sendInDialog('REFER', 1, [`Refer-To: <sip:${party}@127.0.0.1:${port}>`]),
    expectResponse(202),
    ...takeReport,
    ...takeReport,
    sendInDialog('BYE', 2),
    expectResponse(200),
    '<nop next="end"></nop>',
    '<label id="party"/>',
    expectRequest('BYE'),
    respondInDialog('200 OK'),
    '<label id="end"/>',
  ];
  return startSipp(steps, { port, calls: 2 });
}
