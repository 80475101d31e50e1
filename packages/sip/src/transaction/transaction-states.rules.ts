/**
 * The four transaction state machines of SIP as tables (RFC 3261 section 17), with the `accepted` states of RFC 6026,
 * which absorb retransmissions of a 2xx and of an INVITE that has been answered.
 *
 * | machine       | state      | waits for                            | left by timer                         |
 * |---------------|------------|--------------------------------------|---------------------------------------|
 * | invite-client | calling    | any response                         | B (64 T1: no response)                |
 * |               | proceeding | the final response                   | none: the caller has a ring limit     |
 * |               | completed  | retransmissions of a 3xx to 6xx      | D (32 s)                              |
 * |               | accepted   | retransmissions of 2xx, other forks  | M (64 T1)                             |
 * | client        | trying     | any response                         | F (64 T1)                             |
 * |               | proceeding | the final response                   | F                                     |
 * |               | completed  | retransmissions of the response      | K (T4)                                |
 * | invite-server | proceeding | our final response                   | none: the callee has a ring limit     |
 * |               | completed  | the ACK of our 3xx to 6xx            | H (64 T1: no ACK came)                |
 * |               | confirmed  | retransmissions of that ACK          | I (T4)                                |
 * |               | accepted   | retransmissions of the INVITE        | L (64 T1)                             |
 * | server        | trying     | our response                         | 64 T1 (deviation, see below)          |
 * |               | completed  | retransmissions of the request       | J (64 T1)                             |
 *
 * `terminated` is the final state of each. Over a reliable transport (TCP) nothing is retransmitted, and D, I, J and K are
 * zero.
 */

export type TransactionKind = 'invite-client' | 'client' | 'invite-server' | 'server';

export type TransactionState =
  | 'calling'
  | 'trying'
  | 'proceeding'
  | 'completed'
  | 'confirmed'
  | 'accepted'
  | 'terminated';

export type TransactionEvent =
  | 'repeat-timer' // A, E, G
  | 'deadline' // B, D, F, H, I, J, K, L, M
  | 'provisional' // 1xx: received by a client, sent by a server
  | 'success' // 2xx
  | 'failure' // 300 to 699
  | 'request' // the same request again
  | 'ack' // for an invite-server
  | 'transport-fault';

/** Actions of a step, performed in order after the state has changed. */
export type TransactionEffect =
  | 'send' // send the given response and keep it for retransmissions
  | 'repeat' // retransmit the last message
  | 'acknowledge' // ACK for a 3xx to 6xx
  | 'report' // pass the message to the transaction user (TU)
  | 'report-timeout'
  | 'report-fault';

export interface Step {
  next: TransactionState;
  effects: readonly TransactionEffect[];
}

/** How the retransmission interval grows: A doubles without limit, E and G double up to T2, E in `proceeding` is T2. */
export type RepeatTimer = 'doubling' | 'doubling-to-t2' | 'every-t2';
/** Length of the timer that leaves a state; `linger` timers are zero over TCP. */
export type Deadline = '64-t1' | 'linger-32s' | 'linger-64-t1' | 'linger-t4';

export interface StateSpec {
  /** The retransmission timer of the state; it keeps running when the next state has one, too. */
  repeat?: RepeatTimer;
  /** Set on entry; it keeps running between states that share `deadlineName`. */
  deadline?: Deadline;
  deadlineName?: string;
  on: Partial<Record<TransactionEvent, Step>>;
}

export type TransactionTable = Partial<Record<TransactionState, StateSpec>>;

const step = (next: TransactionState, ...effects: TransactionEffect[]): Step => ({ next, effects });

/** Figure 5 of RFC 3261 with section 7.2 of RFC 6026. */
const INVITE_CLIENT: TransactionTable = {
  calling: {
    repeat: 'doubling',
    deadline: '64-t1',
    deadlineName: 'B',
    on: {
      'repeat-timer': step('calling', 'repeat'),
      deadline: step('terminated', 'report-timeout'),
      'transport-fault': step('terminated', 'report-fault'),
      provisional: step('proceeding', 'report'),
      success: step('accepted', 'report'),
      failure: step('completed', 'acknowledge', 'report'),
    },
  },
  proceeding: {
    on: {
      provisional: step('proceeding', 'report'),
      success: step('accepted', 'report'),
      failure: step('completed', 'acknowledge', 'report'),
    },
  },
  completed: {
    deadline: 'linger-32s',
    deadlineName: 'D',
    on: {
      failure: step('completed', 'acknowledge'),
      deadline: step('terminated'),
      // The final response has been reported already; only its ACK could not be sent.
      'transport-fault': step('terminated'),
    },
  },
  accepted: {
    deadline: '64-t1',
    deadlineName: 'M',
    on: { success: step('accepted', 'report'), deadline: step('terminated') },
  },
};

/** Figure 6 of RFC 3261. */
const CLIENT: TransactionTable = {
  trying: {
    repeat: 'doubling-to-t2',
    deadline: '64-t1',
    deadlineName: 'F',
    on: {
      'repeat-timer': step('trying', 'repeat'),
      deadline: step('terminated', 'report-timeout'),
      'transport-fault': step('terminated', 'report-fault'),
      provisional: step('proceeding', 'report'),
      success: step('completed', 'report'),
      failure: step('completed', 'report'),
    },
  },
  proceeding: {
    repeat: 'every-t2',
    deadline: '64-t1',
    deadlineName: 'F',
    on: {
      'repeat-timer': step('proceeding', 'repeat'),
      deadline: step('terminated', 'report-timeout'),
      'transport-fault': step('terminated', 'report-fault'),
      provisional: step('proceeding', 'report'),
      success: step('completed', 'report'),
      failure: step('completed', 'report'),
    },
  },
  completed: { deadline: 'linger-t4', deadlineName: 'K', on: { deadline: step('terminated') } },
};

/** Figure 7 of RFC 3261 with section 7.1 of RFC 6026. */
const INVITE_SERVER: TransactionTable = {
  proceeding: {
    on: {
      request: step('proceeding', 'repeat'),
      provisional: step('proceeding', 'send'),
      success: step('accepted', 'send'),
      failure: step('completed', 'send'),
      'transport-fault': step('terminated', 'report-fault'),
    },
  },
  completed: {
    repeat: 'doubling-to-t2',
    deadline: '64-t1',
    deadlineName: 'H',
    on: {
      request: step('completed', 'repeat'),
      'repeat-timer': step('completed', 'repeat'),
      ack: step('confirmed'),
      deadline: step('terminated'),
      'transport-fault': step('terminated'),
    },
  },
  confirmed: { deadline: 'linger-t4', deadlineName: 'I', on: { deadline: step('terminated') } },
  // RFC 6026 section 7.1: the TU retransmits the 2xx itself. Retransmitted INVITEs are absorbed here; a further 2xx passes.
  accepted: {
    deadline: '64-t1',
    deadlineName: 'L',
    on: { success: step('accepted', 'send'), ack: step('accepted', 'report'), deadline: step('terminated') },
  },
};

/**
 * Figure 8 of RFC 3261; we never send a provisional response to a request other than INVITE. Deviation: there, `trying` has
 * no timer. We answer at once, so our timer only removes a request whose handling failed.
 */
const SERVER: TransactionTable = {
  trying: {
    deadline: '64-t1',
    deadlineName: 'answer',
    on: {
      deadline: step('terminated'),
      success: step('completed', 'send'),
      failure: step('completed', 'send'),
      'transport-fault': step('terminated'),
    },
  },
  completed: {
    deadline: 'linger-64-t1',
    deadlineName: 'J',
    on: {
      request: step('completed', 'repeat'),
      deadline: step('terminated'),
      'transport-fault': step('terminated'),
    },
  },
};

/** The table of each machine. */
export const TRANSACTION_TABLES: Readonly<Record<TransactionKind, TransactionTable>> = {
  'invite-client': INVITE_CLIENT,
  client: CLIENT,
  'invite-server': INVITE_SERVER,
  server: SERVER,
};

/** The initial state of each machine. */
export const FIRST_STATE: Readonly<Record<TransactionKind, TransactionState>> = {
  'invite-client': 'calling',
  client: 'trying',
  'invite-server': 'proceeding',
  server: 'trying',
};

/** The step for an event, null if the state ignores it: late and repeated events are normal on a network. */
export function transactionStep(
  kind: TransactionKind,
  state: TransactionState,
  event: TransactionEvent,
): Step | null {
  return TRANSACTION_TABLES[kind][state]?.on[event] ?? null;
}
