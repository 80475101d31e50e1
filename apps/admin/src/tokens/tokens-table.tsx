/** The user's tokens as a table. */
import type { TokenRecord } from '@parley/contracts';
import { Badge } from '@mantine/core';
import type { ReactNode } from 'react';
import { useNow } from '../client/clock.ts';
import { useAmounts } from '../session/use-amounts.ts';
import table from '../ui/data-table.module.css';
import { type Column, DataTable } from '../ui/data-table.tsx';
import { Day } from '../ui/day.tsx';
import { RevokeButton } from './revoke-button.tsx';
import { limitsLabel, scopesLabel, type TokenState, tokenState } from './token-labels.rules.ts';
import classes from './tokens-table.module.css';
import { texts } from './texts.ts';

/** How often expired tokens are checked for, in ms. */
const LOOK_MS = 60_000;

const COLUMNS: readonly Column[] = [
  [texts.table.columns.name],
  [texts.table.columns.scopes, table['mediumOnly']],
  [texts.table.columns.created, table['wideOnly']],
  [texts.table.columns.lastUsed, table['mediumOnly']],
  [texts.table.columns.expires, table['mediumOnly']],
  [''],
];

/** Renders nothing for an active token. */
function StateBadge({ state }: { state: TokenState }): ReactNode {
  if (state === 'active') return null;
  return (
    <Badge variant="default" size="sm" tt="none" ml={4}>
      {state === 'revoked' ? texts.table.revoked : texts.table.expired}
    </Badge>
  );
}

/** When it stops working, or since when it does not. */
function End({ token }: { token: TokenRecord }): ReactNode {
  const { revoked_at: revokedAt, expires_at: expiresAt } = token;
  if (revokedAt === null) return <Day at={expiresAt} otherwise={texts.table.never} />;
  return (
    <>
      {texts.table.revoked} <Day at={revokedAt} />
    </>
  );
}

function TokenRow({ token, state }: { token: TokenRecord; state: TokenState }): ReactNode {
  const minor = (width: string): string => `${table['minor']} ${table[width]}`;
  const limits = limitsLabel(token, useAmounts().format);
  return (
    <tr data-testid="token-row" data-token-id={token.id} data-state={state}>
      <td className={table['wrap']}>
        <span className={classes['name']}>{token.name}</span> <StateBadge state={state} />
        <div className={`${table['under']} ${classes['prefix']}`}>{token.prefix}…</div>
        <div className={`${table['under']} ${table['narrowOnly']}`}>{scopesLabel(token.scopes)}</div>
        <div className={`${table['under']} ${table['narrowOnly']}`}>
          {texts.table.columns.lastUsed}: <Day at={token.last_used_at} otherwise={texts.table.never} />
        </div>
      </td>
      <td className={`${table['wrap']} ${table['mediumOnly']}`}>
        {scopesLabel(token.scopes)}
        {limits !== null && <div className={table['under']}>{limits}</div>}
      </td>
      <td className={minor('wideOnly')}>
        <Day at={token.created_at} />
      </td>
      <td className={minor('mediumOnly')}>
        <Day at={token.last_used_at} otherwise={texts.table.never} />
      </td>
      <td className={minor('mediumOnly')}>
        <End token={token} />
      </td>
      <td className={table['number']}>{state === 'active' && <RevokeButton token={token} />}</td>
    </tr>
  );
}

/** Newest first; revoked and expired tokens stay in the list. */
export function TokensTable({ tokens }: { tokens: readonly TokenRecord[] }): ReactNode {
  const nowMs = useNow(LOOK_MS);
  return (
    <DataTable columns={COLUMNS}>
      {tokens.toReversed().map((token) => (
        <TokenRow key={token.id} token={token} state={tokenState(token, nowMs)} />
      ))}
    </DataTable>
  );
}
