/** Far ends that act as a scenario of sipp (https://sipp.readthedocs.io) says, and fail on every other message. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A far end that waits for its calls. */
export interface SippFarEnd {
  /** Every message it saw, as text. Rejects when a call went another way than the scenario. */
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

/** What the caller said of itself and of us, for requests the other way. */
const REMEMBERED = `
  <ereg regexp="&lt;.*" search_in="hdr" header="From:" assign_to="installation"/>
  <ereg regexp="&lt;[^;]*" search_in="hdr" header="To:" assign_to="self"/>
  <ereg regexp="sip:[^>]*" search_in="hdr" header="Contact:" assign_to="target"/>`;

/** Takes a request. @param actions - elements of sipp */
export const expectRequest = (method: string, actions = ''): string =>
  `<recv request="${method}">${actions === '' ? '' : `<action>${actions}</action>`}</recv>`;

export const expectResponse = (status: number): string => `<recv response="${status}"></recv>`;

/** Answers a request in a dialog, where the tag is in To already. */
export const respondInDialog = (status: string): string =>
  send([`SIP/2.0 ${status}`, ...COPIED, '[last_To:]', CONTACT]);

/** Sends a request in the dialog of the call. */
export function sendInDialog(method: string, sequence: number, headers: string[] = [], sipfrag = ''): string {
  const lines = [
    `${method} [$target] SIP/2.0`,
    'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
    'Max-Forwards: 70',
    'From: [$self];tag=carrier',
    'To: [$installation]',
    'Call-ID: [call_id]',
    `CSeq: ${sequence} ${method}`,
    CONTACT,
    ...headers,
  ];
  return send(lines, sipfrag, 'message/sipfrag;version=2.0');
}

/** Rings and answers a call. @param actions - what to read from its INVITE, as elements of sipp */
export const answerCall = (actions = ''): string[] => [
  expectRequest('INVITE', REMEMBERED + actions),
  respond('180 Ringing'),
  respond('200 OK', SDP),
  expectRequest('ACK'),
];

/** Starts it on 127.0.0.1; it ends after so many calls. */
export async function startSipp(
  steps: string[],
  { port, calls }: { port: number; calls: number },
): Promise<SippFarEnd> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-sipp-'));
  const scenario = join(folder, 'scenario.xml');
  const messages = join(folder, 'messages.log');
  const head = '<?xml version="1.0" encoding="ISO-8859-1" ?>';
  await writeFile(scenario, `${head}\n<scenario name="far end">\n${steps.join('\n')}\n</scenario>\n`);
  const place = ['-i', '127.0.0.1', '-p', String(port), '-m', String(calls)];
  const trace = ['-nostdin', '-trace_msg', '-message_file', messages];
  const sipp = spawn('sipp', ['-sf', scenario, ...place, ...trace], { cwd: folder, stdio: 'ignore' });
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
