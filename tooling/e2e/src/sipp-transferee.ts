/**
 * A carrier that transfers: sipp (https://sipp.readthedocs.io) answers one call, takes a REFER, reports that the other
 * end has answered, and waits for our BYE. It fails on anything that comes instead.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A carrier that waits for its one call. */
export interface Transferee {
  /** Every message it saw, as text. Rejects when the call went another way than written. */
  finished: Promise<string>;
  /** Ends it, should it still wait. */
  stop(): void;
}

const SDP = `v=0
o=sipp 1 1 IN IP4 127.0.0.1
s=-
c=IN IP4 127.0.0.1
t=0 0
m=audio [media_port] RTP/AVP 0
a=rtpmap:0 PCMU/8000`;

const COPIED = ['[last_Via:]', '[last_From:]', '[last_Call-ID:]', '[last_CSeq:]'];
const CONTACT = 'Contact: <sip:[local_ip]:[local_port]>';

const send = (lines: string[], body = '', type = ''): string => {
  const content = body === '' ? ['Content-Length: 0'] : [`Content-Type: ${type}`, 'Content-Length: [len]'];
  return `<send><![CDATA[\n\n${[...lines, ...content].join('\n')}\n\n${body}\n]]></send>`;
};
const respond = (status: string, body = ''): string =>
  send([`SIP/2.0 ${status}`, ...COPIED, '[last_To:];tag=carrier', CONTACT], body, 'application/sdp');
/** Within a dialog the tag stands in To already. */
const respondInDialog = (status: string): string =>
  send([`SIP/2.0 ${status}`, ...COPIED, '[last_To:]', CONTACT]);
const expectRequest = (method: string, action = ''): string => `<recv request="${method}">${action}</recv>`;

/** What our far end said of itself and of us, for requests the other way. */
const REMEMBER = `<action>
  <ereg regexp="&lt;.*" search_in="hdr" header="From:" assign_to="installation"/>
  <ereg regexp="&lt;[^;]*" search_in="hdr" header="To:" assign_to="self"/>
  <ereg regexp="sip:[^>]*" search_in="hdr" header="Contact:" assign_to="target"/>
</action>`;

const notify = (sequence: number, status: string, state: string): string =>
  send(
    [
      'NOTIFY [$target] SIP/2.0',
      'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
      'Max-Forwards: 70',
      'From: [$self];tag=carrier',
      'To: [$installation]',
      'Call-ID: [call_id]',
      `CSeq: ${sequence} NOTIFY`,
      CONTACT,
      'Event: refer',
      `Subscription-State: ${state}`,
    ],
    `SIP/2.0 ${status}`,
    'message/sipfrag;version=2.0',
  );

const SCENARIO = `<?xml version="1.0" encoding="ISO-8859-1" ?>
<scenario name="transferee">
${[
  expectRequest('INVITE', REMEMBER),
  respond('180 Ringing'),
  respond('200 OK', SDP),
  expectRequest('ACK'),
  expectRequest('REFER'),
  respondInDialog('202 Accepted'),
  notify(1, '100 Trying', 'active;expires=60'),
  '<recv response="200"></recv>',
  notify(2, '200 OK', 'terminated;reason=noresource'),
  '<recv response="200"></recv>',
  expectRequest('BYE'),
  respondInDialog('200 OK'),
].join('\n')}
</scenario>
`;

/** Starts it on 127.0.0.1; it ends after its one call. */
export async function startTransferee(port: number): Promise<Transferee> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sipp-'));
  const scenario = join(folder, 'scenario.xml');
  const messages = join(folder, 'messages.log');
  await writeFile(scenario, SCENARIO);
  const sipp = spawn(
    'sipp',
    [
      '-sf',
      scenario,
      '-i',
      '127.0.0.1',
      '-p',
      String(port),
      '-m',
      '1',
      '-nostdin',
      '-trace_msg',
      '-message_file',
      messages,
    ],
    { cwd: folder, stdio: 'ignore' },
  );
  const finish = async (): Promise<string> => {
    const [code] = (await once(sipp, 'exit')) as [number | null];
    const seen = await readFile(messages, 'utf8').catch(() => '');
    await rm(folder, { recursive: true, force: true });
    if (code !== 0) throw new Error(`sipp ended with ${code}:\n${seen}`);
    return seen;
  };
  const finished = finish();
  // The error reaches the callers that wait for it, and no others.
  finished.catch(() => undefined);
  return { finished, stop: () => void sipp.kill() };
}
