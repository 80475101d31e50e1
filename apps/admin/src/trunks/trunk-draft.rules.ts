/** What the form of a SIP trunk holds, and how it becomes the API's input. The server checks. */
import type { TrunkRecord } from '@parley/contracts';

/** Texts as they stand in the fields. Names are the wire's, so that the server's messages find their fields. */
export interface TrunkDraft {
  name: string;
  host: string;
  port: string;
  transport: TrunkRecord['transport'];
  username: string;
  /** Empty: none, or the one that is kept. */
  password: string;
  reach: TrunkRecord['reach'];
  caller_number: string;
  /** Empty: no limit. */
  max_calls: string;
  max_cps: string;
  is_shared: boolean;
}

/** The form at its beginning. */
export const emptyTrunk: TrunkDraft = {
  name: '',
  host: '',
  port: '5060',
  transport: 'udp',
  username: '',
  password: '',
  reach: 'any',
  caller_number: '',
  max_calls: '',
  max_cps: '',
  is_shared: false,
};

/** The form for a trunk that there is. */
export function draftOf(trunk: TrunkRecord): TrunkDraft {
  return {
    name: trunk.name,
    host: trunk.host,
    port: String(trunk.port),
    transport: trunk.transport,
    username: trunk.username ?? '',
    password: '',
    reach: trunk.reach,
    caller_number: trunk.caller_number ?? '',
    max_calls: String(trunk.max_calls ?? ''),
    max_cps: String(trunk.max_cps ?? ''),
    is_shared: trunk.is_shared,
  };
}

/** Whose it is and its password are not among them: each is written in a way of its own. */
function settingsFrom(draft: TrunkDraft) {
  return {
    name: draft.name.trim(),
    host: draft.host.trim(),
    port: draft.port,
    transport: draft.transport,
    username: draft.username.trim(),
    reach: draft.reach,
    caller_number: draft.caller_number.trim(),
    max_calls: draft.max_calls,
    max_cps: draft.max_cps,
  };
}

/** What stands empty is none: the server reads it so. */
export function toNewTrunk(draft: TrunkDraft) {
  return { ...settingsFrom(draft), password: draft.password, is_shared: draft.is_shared };
}

/** An empty password keeps the one there is, but goes with its user name. */
export function toTrunkChanges(draft: TrunkDraft) {
  const settings = settingsFrom(draft);
  if (draft.password !== '') return { ...settings, password: draft.password };
  return settings.username === '' ? { ...settings, password: null } : settings;
}
