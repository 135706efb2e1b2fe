/** entrancePage: what a visitor sees who may not look yet. No script, no style, nothing of any conversation. */

export function entrancePage(entrance: "link" | "key", problem = ""): string {
  const way =
    entrance === "link"
      ? "<p>The link that <code>pith</code> printed opens this page once. Start it again for another link.</p>"
      : '<form method="post" action="enter"><p><label>Your key for this gateway<br>' +
        '<input type="password" name="key" autocomplete="current-password" required autofocus></label></p>' +
        "<p><button>Open the inspector</button></p></form>";
  return (
    '<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">' +
    '<meta name="color-scheme" content="light dark"><title>Pith inspector</title>' +
    `<main><h1>Pith inspector</h1>${problem === "" ? "" : `<p role="alert">${problem}</p>`}${way}</main></html>\n`
  );
}
