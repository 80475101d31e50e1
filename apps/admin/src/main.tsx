/** Starts the admin app: theme, client, router, first rendering. */
import './mantine-styles.ts';
import './typefaces.css';
import './design-tokens.css';
import './global.css';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { createAdminClient } from './client/admin-client.ts';
import { createAdminRouter } from './router.tsx';
import { adoptThemeVariables } from './theme.ts';
import { inBackground } from './client/in-background.ts';
import { hasUnsavedChanges } from './ui/unsaved-changes.ts';

function start(root: HTMLElement): void {
  adoptThemeVariables(document);
  const client = createAdminClient(() => {
    // A form keeps what was written. Its own request says that the user is signed out.
    if (hasUnsavedChanges()) return;
    // Clears the signed-in user and re-evaluates the routes, which redirect to the sign-in page.
    client.queryClient.setQueryData(client.trpc.session.me.queryKey(), null);
    inBackground(router.invalidate());
  });
  const router = createAdminRouter(client);
  createRoot(root).render(<App client={client} router={router} />);
}

const root = document.getElementById('root');
if (root) start(root);
