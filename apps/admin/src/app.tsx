/** The providers around every page: theme, query cache, typed client, router. */
import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type AdminClient, TRPCProvider } from './client/admin-client.ts';
import type { AdminRouter } from './router.tsx';
import { theme } from './theme.ts';
import { FailureBanner } from './ui/failure-banner.tsx';
import { OfflineBanner } from './ui/offline-banner.tsx';

/** The whole app. Mantine's own inline style elements are switched off; see `theme.ts`. */
export function App({ client, router }: { client: AdminClient; router: AdminRouter }): ReactNode {
  return (
    <MantineProvider
      theme={theme}
      defaultColorScheme="auto"
      withCssVariables={false}
      withGlobalClasses={false}
    >
      <QueryClientProvider client={client.queryClient}>
        <TRPCProvider trpcClient={client.trpcClient} queryClient={client.queryClient}>
          <OfflineBanner />
          <FailureBanner />
          <RouterProvider router={router} />
        </TRPCProvider>
      </QueryClientProvider>
    </MantineProvider>
  );
}
