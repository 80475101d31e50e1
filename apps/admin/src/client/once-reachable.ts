/**
 * Loads scripts of the app that are needed later than its start. While the server cannot be reached, the app waits for it with
 * what is on the screen: a reload, which helps after an upgrade, would replace it by an error page of the browser.
 */

const RETRY_MS = 1_000;

/** Any answer counts, whatever its status. */
function isServerReachable(): Promise<boolean> {
  return fetch('/admin/', { method: 'HEAD', cache: 'no-store' }).then(
    () => true,
    () => false,
  );
}

/** @returns what loads the same, again once the server can be reached. It rejects when that fails too, as after an upgrade. */
export function onceReachable<Module>(load: () => Promise<Module>): () => Promise<Module> {
  return () =>
    load().catch(async () => {
      while (!(await isServerReachable()))
        await new Promise((resolve) => {
          setTimeout(resolve, RETRY_MS);
        });
      return load();
    });
}
