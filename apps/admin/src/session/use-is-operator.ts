/** Whether the user may edit shared records. Only for the interface; the server checks the role itself. */
import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '../client/admin-client.ts';
import { rememberedRole } from './remembered-role.ts';

/** Until the user is loaded: whether the last one could. */
export function useIsOperator(): boolean {
  const user = useQuery(useTRPC().session.me.queryOptions()).data;
  return (user === undefined ? rememberedRole() : user?.role) === 'operator';
}
