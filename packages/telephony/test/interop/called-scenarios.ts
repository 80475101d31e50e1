/**
 * Scenarios for sipp as a far end that we call and that sends requests of its own in the dialog: to the Contact of our process, or to the
 * front of its fleet, as far ends do that send all requests to one address of ours.
 */
import { message, recvRequest, recvResponse, scenario, SDP, send } from './sipp-scenarios.ts';

const remember = (header: string, regexp: string, variable: string): string =>
  `<ereg regexp="${regexp}" search_in="hdr" header="${header}:" check_it="true" assign_to="${variable}"/>`;
/** sipp refuses a scenario with a variable that it sets and never uses. */
const used = (...more: readonly string[]): string =>
  `<Reference variables="${['caller', 'callee', 'via', 'cseq', 'target', 'where', 'port', ...more].join(',')}"/>`;
const CONTACT = 'Contact: <sip:[local_ip]:[local_port];transport=[transport]>';

const INVITED = recvRequest(
  'INVITE',
  `<action>${remember('From', '.*', 'caller')}${remember('To', '.*', 'callee')}${remember('Via', '.*', 'via')}` +
    `${remember('CSeq', '.*', 'cseq')}${remember('Contact', 'sip:[^&gt;]+', 'target')}` +
    '<ereg regexp="127.0.0.1:([0-9]+)" search_in="hdr" header="Contact:" check_it="true" assign_to="where,port"/></action>',
);

/** A response to the INVITE, also after other messages. */
const toInvite = (status: string, body = '', tag = 'far'): string =>
  send(
    message(
      [
        `SIP/2.0 ${status}`,
        'Via:[$via]',
        'From:[$caller]',
        `To:[$callee];tag=${tag}`,
        '[last_Call-ID:]',
        'CSeq:[$cseq]',
        CONTACT,
      ],
      body,
    ),
    status.startsWith('2') ? 'retrans="500"' : '',
  );
const toLast = (status: string): string =>
  send(
    message([
      `SIP/2.0 ${status}`,
      '[last_Via:]',
      '[last_From:]',
      '[last_To:]',
      '[last_Call-ID:]',
      '[last_CSeq:]',
    ]),
  );
const answered = (): string[] => [INVITED, toInvite('200 OK', SDP('[media_port]')), recvRequest('ACK')];
const endedByUs = (): string[] => [recvRequest('BYE'), toLast('200 OK')];

/** A request of the far end in its dialog. */
const own = (method: string, sequence: number, body = ''): string =>
  send(
    message(
      [
        `${method} [$target] SIP/2.0`,
        'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
        'Max-Forwards: 70',
        'From:[$callee];tag=far',
        'To:[$caller]',
        '[last_Call-ID:]',
        `CSeq: ${sequence} ${method}`,
        ...(method === 'REFER' ? ['Refer-To: <sip:+12025550123@127.0.0.1>'] : []),
        CONTACT,
      ],
      body,
    ),
    method === 'ACK' ? '' : 'retrans="500"',
  );

const goTo = (port: string): string =>
  `<nop><action><setdest host="127.0.0.1" port="${port}" protocol="udp"/></action></nop>`;

/** Sends requests of the far end to this port, and what follows to our process again. */
const through = (front: number | null, steps: readonly string[]): string[] =>
  front === null ? [...steps] : [goTo(String(front)), ...steps, goTo('[$port]')];

const PROVISIONAL = recvResponse(100, 'optional="true"');

/** Plays an announcement before it rings and answers. */
export const playsEarlyMedia = (): string =>
  scenario(
    INVITED,
    toInvite('183 Session Progress', SDP('[media_port]')),
    toInvite('180 Ringing'),
    toInvite('200 OK', SDP('[media_port]')),
    recvRequest('ACK'),
    ...endedByUs(),
    used(),
  );

/** Two forks ring, and the second one answers. */
export const ringsTwice = (): string =>
  scenario(
    INVITED,
    toInvite('183 Session Progress', SDP('[media_port]'), 'other'),
    toInvite('183 Session Progress', SDP('[media_port]')),
    toInvite('200 OK', SDP('[media_port]')),
    recvRequest('ACK'),
    ...endedByUs(),
    used(),
  );

/**
 * Holds by re-INVITE, resumes by UPDATE, asks for our offer and answers it in ACK, refers us to another party, which we have not
 * allowed, and hangs up.
 */
export const changesTheSession = (front: number | null): string =>
  scenario(
    ...answered(),
    ...through(front, [
      own('INVITE', 1, SDP('[media_port]', 'a=sendonly')),
      PROVISIONAL,
      recvResponse(200),
      own('ACK', 1),
      own('UPDATE', 2, SDP('[media_port]', 'a=sendrecv')),
      recvResponse(200),
      own('INVITE', 3),
      PROVISIONAL,
      '<recv response="200"><action><ereg regexp="m=audio" search_in="body" check_it="true" assign_to="offer"/></action></recv>',
      own('ACK', 3, SDP('[media_port]')),
      own('REFER', 4),
      recvResponse(405),
      own('BYE', 5),
      recvResponse(200),
    ]),
    used('offer'),
  );

/** Its BYE crosses ours. */
export const hangsUpWhileWeDo = (front: number | null): string =>
  scenario(
    ...answered(),
    recvRequest(
      'BYE',
      `<action>${remember('Via', '.*', 'viaOfBye')}${remember('CSeq', '.*', 'cseqOfBye')}</action>`,
    ),
    ...through(front, [own('BYE', 1), recvResponse(200)]),
    send(
      message([
        'SIP/2.0 200 OK',
        'Via:[$viaOfBye]',
        'From:[$caller]',
        'To:[$callee];tag=far',
        '[last_Call-ID:]',
        'CSeq:[$cseqOfBye]',
      ]),
    ),
    used('viaOfBye', 'cseqOfBye'),
  );

/** Its answer crosses our CANCEL. */
export const answersWhileWeCancel = (): string =>
  scenario(
    INVITED,
    toInvite('180 Ringing'),
    recvRequest('CANCEL'),
    toLast('200 OK'),
    toInvite('200 OK', SDP('[media_port]')),
    recvRequest('ACK'),
    ...endedByUs(),
    used(),
  );
