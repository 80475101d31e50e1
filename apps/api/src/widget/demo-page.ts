/** A page with the widget of one assistant, to try it and to show the snippet. Our content policy allows no inline scripts. */

/** @param uuid - of the assistant, checked to be one */
export function demoPage(uuid: string): string {
  const snippet = `<script src="/widget.js" async></script>\n<parley-widget assistant="${uuid}"></parley-widget>`;
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Parley widget</title>
  </head>
  <body>
    <h1>Parley widget</h1>
    <p>The button that you see belongs to the widget. Without a button, the widget has no allowed origins, or the assistant is
      not active.</p>
    ${snippet}
  </body>
</html>
`;
}
