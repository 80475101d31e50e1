import { newTrunkBody } from '@parley/contracts';
import { addTrunk, authorizeDial, loadCallForVoice } from '@parley/core';
import { useTestDatabase } from '@parley/testkit';
import { expect, it } from 'vitest';
import { arrangeVoice, placeOutboundCall, timeline } from '../test/arrange-voice.ts';
import { endStrayAnswer } from './stray-answer.ts';

const database = useTestDatabase();
const TRUNK = '198.51.100.44';

/** A call whose INVITE an earlier process has sent, and the answer to it. */
async function setup(host: string, { isReadable = true } = {}) {
  const about = await arrangeVoice(database.db);
  const { core, identity, voice } = about;
  await addTrunk(core, identity, newTrunkBody.parse({ name: 'Carrier', host: TRUNK }));
  const callId = await placeOutboundCall(about);
  await authorizeDial(core, { callId, fence: voice.lease.fence() });
  const { sipCallId } = await loadCallForVoice(core, callId);
  const dialog = {
    callId: sipCallId,
    localTag: 'near',
    remoteTag: 'far',
    localUri: 'sip:near@127.0.0.1',
    remoteUri: `sip:far@${host}`,
    remoteTarget: `sip:far@${host}`,
    routeSet: [],
    localSequence: 1,
    transport: 'udp' as const,
    destination: { host, port: 5060 },
  };
  const source = { transport: 'udp' as const, host, port: 5060, connectionId: null };
  const working = { ...core.db };
  if (!isReadable)
    core.db.query = async () => Promise.reject(new Error('Connection terminated unexpectedly'));
  await endStrayAnswer(voice, { dialog, source });
  Object.assign(core.db, working);
  const types = (await timeline(core, callId)).map(({ type }) => type);
  return { ended: about.endpoint.endedDialogs, dialog, types };
}

it('the answer of a trunk to a lost process is ended, and stands in the timeline of its call', async () => {
  const { ended, dialog, types } = await setup(TRUNK);
  expect(ended).toEqual([dialog]);
  expect(types.at(-1)).toBe('answered_late');
});

it('the answer of a stranger is dropped', async () => {
  const { ended, types } = await setup('198.51.100.45');
  expect(ended).toEqual([]);
  expect(types).not.toContain('answered_late');
});

it('while the trunks cannot be read, nothing is sent to where an answer names', async () => {
  const { ended } = await setup('198.51.100.45', { isReadable: false });
  expect(ended).toEqual([]);
});
