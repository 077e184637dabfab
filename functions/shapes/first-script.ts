/**
 * The script in the head of every page, before anything is drawn: "a stored theme applies before first paint", a collapsed
 * sidebar does not jump, and what only scripts can do has its room from the start. It stands in the document itself, so
 * no page waits for a request for it. Classic, no imports.
 */
export const firstScript = `{const h=document.documentElement
h.dataset.scripts=''
try{const t=localStorage.getItem('theme')
if(t==='dark-theme')h.classList.add(t)
else if(t==='light-theme')h.dataset.theme='light'
if(localStorage.getItem('sidebar')==='collapsed')h.dataset.sidebar='collapsed'}catch{}}`

/** What a Content-Security-Policy allows it by: the SHA-256 of exactly that text. A test holds the two together. */
export const firstScriptHash = 'sha256-oekvu8uZEDEyzsUOogKwk9A6nb88riecj6yRHGbBhqs='
