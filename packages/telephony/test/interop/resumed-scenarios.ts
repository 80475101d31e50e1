/**
 * Scenarios for sipp of far ends whose call goes on in another process of ours, behind a proxy that stays in the path. They are
 * strict: a re-INVITE with another To tag or From tag, or a CSeq number that is not higher, fails the scenario.
 */
import { message, recvRequest, recvResponse, scenario, SDP, send } from './sipp-scenarios.ts';

const CONTACT = 'Contact: <sip:[local_ip]:[local_port];transport=[transport]>';
const OURS = ';tag=sipp[call_number]';

const remember = (header: string, regexp: string, variable: string): string =>
  `<ereg regexp="${regexp}" search_in="hdr" header="${header}:" check_it="true" assign_to="${variable}"/>`;

/** The caller's INVITE, answered. */
const answered = (): string[] => [
  recvRequest(
    'INVITE',
    `<action>${remember('From', 'tag=[^;]+', 'theirTag')}${remember('From', '.*', 'caller')}` +
      `${remember('To', '.*', 'callee')}${remember('CSeq', '[0-9]+', 'first')}<todouble assign_to="firstNumber" variable="first"/></action>`,
  ).replace('<recv ', '<recv rrs="true" '),
  send(
    message(
      [
        'SIP/2.0 200 OK',
        '[last_Via:]',
        '[last_Record-Route:]',
        '[last_From:]',
        `[last_To:]${OURS}`,
        '[last_Call-ID:]',
        '[last_CSeq:]',
        CONTACT,
      ],
      SDP('[media_port]'),
    ),
    'retrans="500"',
  ),
  recvRequest('ACK'),
];

/** A re-INVITE within the dialog, of which every part that a strict user agent looks at is right. */
const reInvite = (): string[] => [
  recvRequest(
    'INVITE',
    `<action>${remember('To', 'tag=sipp1', 'ourTag')}${remember('From', 'tag=[^;]+', 'sameTag')}` +
      `${remember('Via', '.*', 'via')}${remember('Via', '.*', 'viaOfEndpoint').replace('<ereg ', '<ereg occurrence="2" ')}${remember('CSeq', '.*', 'cseq')}${remember('CSeq', '[0-9]+', 'next')}` +
      remember('Contact', 'sip:[^;&gt;]+', 'target') +
      '<todouble assign_to="nextNumber" variable="next"/>' +
      '<test assign_to="isLater" variable="nextNumber" compare="greater_than" variable2="firstNumber"/>' +
      '<strcmp assign_to="difference" variable="theirTag" variable2="sameTag"/>' +
      '<test assign_to="isSame" variable="difference" compare="equal" value="0"/></action>',
  ),
  '<nop next="later" test="isLater"></nop>',
  FAIL,
  `<label id="later"/>`,
  '<nop next="same" test="isSame"></nop>',
  FAIL,
  `<label id="same"/>`,
];

/** Waits for a message that does not come, so that the scenario fails. */
const FAIL = '<recv request="MESSAGE" timeout="1"></recv>';
const REFERENCES =
  '<Reference variables="theirTag,caller,callee,first,firstNumber,ourTag,sameTag,via,viaOfEndpoint,cseq,next,nextNumber,target,isLater,difference,isSame"/>';

const DIALOG = ['From:[$caller]', `To:[$callee]${OURS}`, '[last_Call-ID:]'];

/** A response to the re-INVITE, also after other messages. */
const toReInvite = (status: string, body = ''): string =>
  send(
    message(
      [`SIP/2.0 ${status}`, 'Via:[$via]', 'Via:[$viaOfEndpoint]', ...DIALOG, 'CSeq:[$cseq]', CONTACT],
      body,
    ),
    'retrans="500"',
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

/** A request of the callee to the process that has just sent the re-INVITE. */
const own = (method: string, number: number, body = ''): string =>
  send(
    message(
      [
        `${method} [$target] SIP/2.0`,
        'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
        '[routes]',
        'Max-Forwards: 70',
        `From:[$callee]${OURS}`,
        'To:[$caller]',
        '[last_Call-ID:]',
        `CSeq: ${number} ${method}`,
        CONTACT,
      ],
      body,
    ),
    method === 'ACK' ? '' : 'retrans="500"',
  );

const endedByUs = (): string[] => [recvRequest('BYE'), toLast('200 OK')];

/** Accepts the re-INVITE. */
export const acceptsIt = scenario(
  ...answered(),
  ...reInvite(),
  toReInvite('200 OK', SDP('[media_port]')),
  recvRequest('ACK'),
  ...endedByUs(),
  REFERENCES,
);

/** Refuses the re-INVITE and expects BYE. */
export const refusesItWith = (status: string): string =>
  scenario(...answered(), ...reInvite(), toReInvite(status), recvRequest('ACK'), ...endedByUs(), REFERENCES);

/** Refuses the re-INVITE once, and accepts the next one. */
export const refusesItOnceWith = (status: string): string =>
  scenario(
    ...answered(),
    ...reInvite(),
    toReInvite(status),
    recvRequest('ACK'),
    ...reInvite().map((step) =>
      step.replaceAll('"later"', '"laterAgain"').replaceAll('"same"', '"sameAgain"'),
    ),
    toReInvite('200 OK', SDP('[media_port]')),
    recvRequest('ACK'),
    ...endedByUs(),
    REFERENCES,
  );

/** Sends a re-INVITE of its own before it responds to ours: each side refuses that of the other, and ours comes again. */
export const changesItItself = scenario(
  ...answered(),
  ...reInvite(),
  own('INVITE', 7, SDP('[media_port]')),
  recvResponse(100, 'optional="true"'),
  recvResponse(491),
  own('ACK', 7).replace('[branch]', '[branch-3]'),
  toReInvite('491 Request Pending'),
  recvRequest('ACK'),
  ...reInvite().map((step) => step.replaceAll('"later"', '"laterAgain"').replaceAll('"same"', '"sameAgain"')),
  toReInvite('200 OK', SDP('[media_port]')),
  recvRequest('ACK'),
  ...endedByUs(),
  REFERENCES,
);

/** Hangs up before it responds to our re-INVITE. */
export const hangsUp = scenario(
  ...answered(),
  ...reInvite(),
  own('BYE', 7),
  recvResponse(200),
  toReInvite('487 Request Terminated'),
  recvRequest('ACK'),
  REFERENCES,
);

const CALLER = ['From: <sip:caller@[local_ip]:[local_port]>;tag=sipp[call_number]', 'Call-ID: [call_id]'];
const TARGET = 'sip:+12025550101@[remote_ip]:[remote_port]';
const ofCaller = (method: string, number: number, uri: string, to: string, body = ''): string =>
  send(
    message(
      [
        `${method} ${uri} SIP/2.0`,
        'Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]',
        ...(to === '' ? [] : ['[routes]']),
        'Max-Forwards: 70',
        ...CALLER,
        `To: <${TARGET}>${to}`,
        `CSeq: ${number} ${method}`,
        CONTACT,
      ],
      body,
    ),
    method === 'ACK' ? '' : 'retrans="500"',
  );

/** Calls, accepts our re-INVITE, and hangs up at the Contact of that re-INVITE. */
export const callsAndHangsUp = scenario(
  ofCaller('INVITE', 1, TARGET, '', SDP('[media_port]')),
  recvResponse(100, 'optional="true"'),
  recvResponse(180, 'optional="true"'),
  recvResponse(200, 'rrs="true"'),
  ofCaller('ACK', 1, '[next_url]', '[peer_tag_param]'),
  recvRequest(
    'INVITE',
    `<action>${remember('Contact', 'sip:[^;&gt;]+', 'target')}${remember('From', 'tag=.*', 'theirTag')}${remember('To', 'tag=sipp1', 'ourTag')}</action>`,
  ),
  send(
    message(
      [
        'SIP/2.0 200 OK',
        '[last_Via:]',
        '[last_From:]',
        '[last_To:]',
        '[last_Call-ID:]',
        '[last_CSeq:]',
        CONTACT,
      ],
      SDP('[media_port]'),
    ),
    'retrans="500"',
  ),
  recvRequest('ACK'),
  '<pause milliseconds="300"/>',
  ofCaller('BYE', 2, '[$target]', ';[$theirTag]'),
  recvResponse(200),
  '<Reference variables="target,theirTag,ourTag"/>',
);
