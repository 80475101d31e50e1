/** Checks of the settings of a trunk that depend on each other, and of the hosts that receive its credentials. */
import { errorText, fieldFault, readHostPort, wording, type TrunkChanges } from '@parley/contracts';
import type { TrunkRow } from '@parley/db';
import type { CoreContext } from '../context.ts';
import { DomainError } from '../shared/domain-error.ts';
import type { Identity } from '../users/identity.ts';
import { isAllowedHost } from './allowed-host.ts';

type Hosts = Pick<TrunkChanges, 'host' | 'other_hosts' | 'registrar'>;

/** @throws DomainError `invalid` for a host of a member that is not public */
export function refusePrivateHosts(ctx: CoreContext, identity: Identity, input: Hosts): void {
  if (identity.role === 'operator') return;
  const refuse = (field: keyof Hosts): never => {
    throw new DomainError('invalid', errorText.invalidData, { fields: fieldFault(field, wording.selected) });
  };
  const isAllowed = (host: string | null): boolean =>
    host === null || isAllowedHost(host, ctx.allowPrivateTrunks);
  if (!isAllowed(input.host ?? null)) refuse('host');
  if (!(input.other_hosts ?? []).every((one) => isAllowed(nameIn(one)))) refuse('other_hosts');
  if (!isAllowed(nameIn(input.registrar))) refuse('registrar');
}

/**
 * Otherwise a user who may change a trunk could send a password that they cannot read to a host of their own.
 *
 * @throws DomainError `invalid` for a new host without the password
 */
export function requirePasswordForNewHost(trunk: TrunkRow, input: TrunkChanges): void {
  if (trunk.passwordSealed === null || input.password !== undefined) return;
  const known = [trunk.host, nameIn(trunk.registrar), ...trunk.otherHosts.map(nameIn)].map((host) =>
    host?.toLowerCase(),
  );
  const isKnown = (host: string | null): boolean => host === null || known.includes(host.toLowerCase());
  const sent = {
    host: [input.host ?? null],
    'list of other hosts': (input.other_hosts ?? []).map(nameIn),
    registrar: [nameIn(input.registrar)],
  };
  const isNew = Object.entries(sent).find(([, hosts]) => !hosts.every(isKnown))?.[0];
  if (isNew === undefined) return;
  const fields = fieldFault('password', wording.requiredWhen(`the ${isNew} changes`));
  throw new DomainError('invalid', errorText.invalidData, { fields });
}

/** @throws DomainError `invalid` for a name that answers challenges without an account that it belongs to */
export function requireUsername(trunk: Pick<TrunkRow, 'username' | 'authUsername'>): void {
  if (trunk.authUsername === null || trunk.username !== null) return;
  const fields = fieldFault('username', wording.requiredWhen('auth_username is set'));
  throw new DomainError('invalid', errorText.invalidData, { fields });
}

/** @throws DomainError `invalid` for numbers in the national form without the country in which they are dialed */
export function requireCountryOfNumbers(trunk: Pick<TrunkRow, 'numberFormat' | 'defaultCountry'>): void {
  if (trunk.numberFormat !== 'national' || trunk.defaultCountry !== null) return;
  const fields = fieldFault('default_country', wording.requiredWhen('number_format is national'));
  throw new DomainError('invalid', errorText.invalidData, { fields });
}

/** @throws DomainError `invalid` for a trunk that registers without a user name or a password */
export function requireAccountToRegister(
  trunk: Pick<TrunkRow, 'registers' | 'username' | 'passwordSealed'>,
): void {
  if (!trunk.registers) return;
  const fault = (field: string) => fieldFault(field, wording.requiredWhen('registers is true'));
  const fields = {
    ...(trunk.username === null ? fault('username') : {}),
    ...(trunk.passwordSealed === null ? fault('password') : {}),
  };
  if (Object.keys(fields).length === 0) return;
  throw new DomainError('invalid', errorText.invalidData, { fields });
}

/**
 * Keys of audio are in the signalling, where everyone on the way can read them unless it is encrypted too. A certificate that
 * is not asked for cannot be accepted either.
 *
 * @throws DomainError `invalid` for settings that need TLS on a trunk without it
 */
export function refuseWithoutTls(trunk: Pick<TrunkRow, 'transport' | 'tlsVerify' | 'mediaEncryption'>): void {
  if (trunk.transport === 'tls') return;
  const fault = (field: string) => fieldFault(field, wording.onlyWhen('the transport is tls'));
  const fields = {
    ...(trunk.mediaEncryption === 'none' ? {} : fault('media_encryption')),
    ...(trunk.tlsVerify ? {} : fault('tls_verify')),
  };
  if (Object.keys(fields).length === 0) return;
  throw new DomainError('invalid', errorText.invalidData, { fields });
}

/** The host in `host` or `host:port`. */
function nameIn(text: string | null | undefined): string | null {
  return text == null ? null : (readHostPort(text)?.host ?? null);
}
